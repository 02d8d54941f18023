import sharp from 'sharp';

/** A PNG with edges, curves, text-like strokes and gradients, drawn to size: something a model and a cubic kernel treat differently. */
export function drawPicture(width: number, height: number): Promise<Buffer> {
  const shapes = Array.from({ length: 14 }, (_, i) => {
    const [x, y] = [(i * 37) % 100, (i * 61) % 100];
    const colour = `hsl(${(i * 47) % 360} 70% ${30 + ((i * 13) % 50)}%)`;
    return i % 2
      ? `<circle cx="${x}" cy="${y}" r="${4 + (i % 5) * 3}" fill="${colour}"/>`
      : `<path d="M${x} ${y} l18 7 l-9 15 z" fill="none" stroke="${colour}" stroke-width="${1 + (i % 3)}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100"
    preserveAspectRatio="none"><defs><linearGradient id="g"><stop stop-color="#fc8"/><stop offset="1" stop-color="#248"/>
    </linearGradient></defs><rect width="100" height="100" fill="url(#g)"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten().removeAlpha().png().toBuffer();
}

/** The same as a camera would see it: edges softened by a lens, then sampled. The model was taught with photos and restores such edges. */
export async function drawPhoto(width: number, height: number): Promise<Buffer> {
  const scene = await drawPicture(width * 4, height * 4);
  return sharp(scene).blur(3).resize(width, height, { kernel: 'cubic' }).png().toBuffer();
}

/** Peak signal-to-noise ratio in dB of two 8 bit pictures of `channels` interleaved samples, leaving off `border` pixels on each side. */
export function psnr(
  a: Uint8Array,
  b: Uint8Array,
  size: { width: number; height: number; channels: number },
  border: number,
): number {
  let sum = 0;
  let count = 0;
  for (let y = border; y < size.height - border; y++) {
    const row = (y * size.width + border) * size.channels;
    const end = row + (size.width - 2 * border) * size.channels;
    for (let i = row; i < end; i++, count++) sum += ((a[i] ?? NaN) - (b[i] ?? NaN)) ** 2;
  }
  return 10 * Math.log10(255 ** 2 / (sum / count));
}
