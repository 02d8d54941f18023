import { momentOf } from '@gjm/core/text/times.js';

/** A moment in full, for the reader's zone and for UTC. */
export const momentInFull = (iso: string): string =>
  `${momentOf(iso)} here, ${iso.slice(0, 19).replace('T', ' ')} UTC`;
