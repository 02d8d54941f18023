/** What a job is given as `logBytes` so that the wide runner prints its line in place of it. */
export const wideMarker = Buffer.from('one line, twenty megabytes');
/** Length of that line, in bytes. */
export const wideBytes = 20 * 1024 * 1024;

/** The line piece by piece: no newline anywhere, and in each piece four bytes that are no text. */
export function* widePieces(): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  piece.set([0xff, 0xfe, 0x00, 0x80], 1_000);
  for (let written = 0; written < wideBytes; written += piece.length) yield piece;
}
