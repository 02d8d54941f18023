/** A rectangle in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One piece of a picture: `core` is what it contributes, `view` what the model must see for that, core included. */
export interface Tile {
  core: Box;
  view: Box;
}

/**
 * Cuts a picture into tiles whose cores, at most `side` pixels wide and high, cover it exactly, row by row. Cores are of nearly equal size,
 * so that progress is even. `margin` is the context on each inner side.
 */
export function planTiles(width: number, height: number, side: number, margin: number): Tile[] {
  const columns = cutLine(width, side, margin);
  return cutLine(height, side, margin).flatMap((row) =>
    columns.map((column) => ({
      core: { x: column.from, y: row.from, width: column.length, height: row.length },
      view: { x: column.viewFrom, y: row.viewFrom, width: column.viewLength, height: row.viewLength },
    })),
  );
}

function cutLine(length: number, side: number, margin: number) {
  const count = Math.ceil(length / side);
  return Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * length) / count);
    const to = Math.floor(((i + 1) * length) / count);
    const viewFrom = Math.max(0, from - margin);
    const viewTo = Math.min(length, to + margin);
    return { from, length: to - from, viewFrom, viewLength: viewTo - viewFrom };
  });
}
