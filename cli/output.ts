import pico from 'picocolors';
import type { Environment } from './environment.js';
import { exitCodes, type Ending } from './exit.js';
import { visibleJson, visibleText } from '@gjm/core/text/visible-text.js';

export type Paint = ReturnType<typeof pico.createColors>;

/** Where a command writes: data to stdout, everything else to stderr. What other people wrote must come in as visible text. */
export interface Output {
  /** Whether data goes out as JSON. */
  isJson: boolean;
  /** Colours of stdout, and of stderr. */
  paint: Paint;
  notePaint: Paint;
  /** Whether stdout is a terminal that can be drawn on again. */
  isScreen: boolean;
  /** Cells of a line of stdout at this moment; null where it is no terminal and nothing is to be cut. */
  cells(): number | null;
  rows(): number;
  /** Resolves when the reader is ready for more. */
  write(text: string): Promise<void>;
  lines(lines: readonly string[]): Promise<void>;
  /** One document for a one-shot, indented for people; one line of a stream. */
  document(value: unknown): Promise<void>;
  record(value: unknown): Promise<void>;
  /** A sentence for the person, on stderr. */
  note(text: string): void;
  /** The same only where a person looks: on a terminal and without `--json`. */
  hint(text: string): void;
}

/** A reader that went away (`gjm logs | head -1`) ends the process without a word. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.readerGone : exitCodes.bug);
  });
  process.stderr.on('error', () => undefined);
}

async function writeOut(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}

export function openOutput(environment: Environment, isJson: boolean): Output {
  endWithReader();
  const { stdout, stderr } = process;
  const isScreen = stdout.isTTY && environment.canRedraw;
  const note = (text: string): void => void stderr.write(`${text}\n`);
  return {
    isJson,
    paint: pico.createColors(environment.hasColour(stdout.isTTY)),
    notePaint: pico.createColors(environment.hasColour(stderr.isTTY)),
    isScreen,
    // A terminal that does not tell its size says 0.
    cells: () => (stdout.isTTY ? stdout.columns || 80 : null),
    rows: () => stdout.rows || 24,
    write: writeOut,
    lines: (lines) => (lines.length > 0 ? writeOut(`${lines.join('\n')}\n`) : Promise.resolve()),
    document: (value) => writeOut(`${visibleJson(value, 2)}\n`),
    record: (value) => writeOut(`${visibleJson(value)}\n`),
    note,
    hint: (text) => {
      if (stderr.isTTY && !isJson) note(text);
    },
  };
}

/** Tells on stderr why the command ends: sentences, or one JSON document. */
export function tellEnding(output: Output, ending: Ending): void {
  const { exit, code, message, fields, requestId } = ending;
  if (output.isJson) {
    output.note(visibleJson({ error: { code, message, fields, requestId, exit } }));
    return;
  }
  const told =
    fields.length > 0 ? fields.map(({ path, message: why }) => `${path.join('.')}: ${why}`) : [message];
  for (const line of told) output.note(`${output.notePaint.red('gjm:')} ${visibleText(line)}`);
  if (requestId !== null && exit === exitCodes.unreachable)
    output.note(`The server's log has it under request ${visibleText(requestId)}.`);
}
