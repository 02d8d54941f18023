/** 8 bit samples in sRGB, rows from the top, without gaps. */
export interface Picture {
  width: number;
  height: number;
  /** 3: red, green, blue. 4: the same and alpha, not premultiplied. */
  channels: 3 | 4;
  /** width · height · channels bytes. */
  samples: Uint8Array;
}

/** One plane of samples, for instance the alpha of a picture. */
export function planeOf(picture: Picture, channel: number): Uint8Array {
  const { width, height, channels, samples } = picture;
  const plane = new Uint8Array(width * height);
  for (let i = 0, at = channel; i < plane.length; i++, at += channels) plane[i] = samples[at] ?? 0;
  return plane;
}

/** Overwrites one plane of `picture`. */
export function setPlane(picture: Picture, channel: number, plane: Uint8Array): void {
  const { channels, samples } = picture;
  for (let i = 0, at = channel; i < plane.length; i++, at += channels) samples[at] = plane[i] ?? 0;
}
