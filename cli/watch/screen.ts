const escape = '\u001b[';
/** Its own page, so that nothing of the person's is painted over; no cursor; no wrapping, so that a resize moves nothing. */
const enter = `${escape}?1049h${escape}?25l${escape}?7l`;
const leave = `${escape}?7h${escape}?25h${escape}?1049l`;
/** Terminals that know it show what comes between as one picture. */
const begin = `${escape}?2026h`;
const end = `${escape}?2026l`;

/** A terminal that is painted on as a whole. */
export interface Screen {
  /** Shows these lines, and only these. */
  paint(lines: readonly string[]): void;
  /** Gives the terminal back as it was. Idempotent, and done by itself when the process ends. */
  close(): void;
}

/** One write for each picture: lines are overwritten, never cleared first, so that nothing flickers. `repaint` is called after a resize. */
export function openScreen(out: NodeJS.WriteStream, repaint: () => void): Screen {
  let shown: string | null = null;
  const close = (): void => {
    if (shown === null) return;
    shown = null;
    out.write(leave);
    process.off('exit', close);
    process.off('SIGTSTP', suspend);
    process.off('SIGCONT', resume);
    out.off('resize', resize);
  };
  const resize = (): void => {
    shown = '';
    repaint();
  };
  // Ctrl-Z: the shell that comes up must find its own page and cursor.
  const suspend = (): void => {
    out.write(leave);
    process.kill(process.pid, 'SIGSTOP');
  };
  const resume = (): void => {
    out.write(enter);
    resize();
  };
  shown = '';
  out.write(enter);
  process.on('exit', close);
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', resume);
  out.on('resize', resize);
  return {
    paint: (lines) => {
      const picture = lines.map((line) => `${line}${escape}K`).join('\r\n');
      if (shown === null || picture === shown) return;
      shown = picture;
      out.write(`${begin}${escape}H${picture}${escape}J${end}`);
    },
    close,
  };
}
