import { describe, expect, test } from '@jest/globals';
import { planTiles } from './tiles.js';

const [tileSide, tileMargin] = [128, 12];

describe('planTiles', () => {
  test.each([
    [1, 1],
    [127, 128],
    [129, 300],
    [451, 299],
    [2_500, 1],
  ])('covers %i×%i exactly once, in tiles of nearly equal size', (width, height) => {
    const tiles = planTiles(width, height, tileSide, tileMargin);
    const covered = new Uint8Array(width * height);
    for (const { core } of tiles) {
      expect(core.width).toBeLessThanOrEqual(tileSide);
      for (let y = core.y; y < core.y + core.height; y++) {
        for (let i = y * width + core.x; i < y * width + core.x + core.width; i++)
          covered[i] = (covered[i] ?? 0) + 1;
      }
    }
    expect(covered.every((times) => times === 1)).toBe(true);
    const widths = tiles.map(({ core }) => core.width);
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
  });

  test('lets the model see the margin on inner sides only', () => {
    for (const { core, view } of planTiles(451, 299, tileSide, tileMargin)) {
      expect(view.x).toBe(Math.max(0, core.x - tileMargin));
      expect(view.y).toBe(Math.max(0, core.y - tileMargin));
      expect(view.x + view.width).toBe(Math.min(451, core.x + core.width + tileMargin));
      expect(view.y + view.height).toBe(Math.min(299, core.y + core.height + tileMargin));
    }
  });
});
