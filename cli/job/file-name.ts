import { visibleLine } from '@gjm/core/text/visible-text.js';

/** What a file system takes, in bytes of UTF-8, less room for the name a download has before it is whole. */
const mostBytes = 200;

function cutBytes(name: string, most: number): string {
  let taken = '';
  let used = 0;
  for (const letter of name) {
    used += Buffer.byteLength(letter);
    if (used > most) break;
    taken += letter;
  }
  return taken;
}

/**
 * A name for a file in a folder of the person's own, made from an artifact's label. Labels are other people's text: no separators, so it
 * never leaves the folder; no controls; no leading dot or dash, so it is neither hidden nor an option of the next command.
 */
export function safeFileName(label: string, fallback: string): string {
  const name = visibleLine(label)
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.-]+/, (run) => '_'.repeat(run.length));
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  const stem = cutBytes(ending ? name.slice(0, dot) : name, mostBytes - Buffer.byteLength(ending));
  return /[^_\s]/.test(stem) ? stem + ending : fallback + ending;
}

/** One name for each label, none twice, also where a file system takes large and small letters for the same. */
export function distinctFileNames(files: readonly { name: string; id: string }[]): string[] {
  const taken = new Set<string>();
  return files.map(({ name, id }) => {
    let safe = safeFileName(name, id);
    if (taken.has(safe.toLowerCase())) safe = `${id}-${safe}`;
    taken.add(safe.toLowerCase());
    return safe;
  });
}
