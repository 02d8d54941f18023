import { hkdfSync } from 'node:crypto';

/** Keys of one purpose each, derived from the installation's secret, so that none can stand in for another. 32 bytes each. */
export interface Keys {
  accessToken: Buffer;
  refreshToken: Buffer;
  fileUrl: Buffer;
}

const derive = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'gpu-job-manager', purpose, 32));

/** HKDF-SHA256 (RFC 5869) of `GJM_SECRET`. */
export const deriveKeys = (secret: string): Keys => ({
  accessToken: derive(secret, 'access-token'),
  refreshToken: derive(secret, 'refresh-token'),
  fileUrl: derive(secret, 'file-url'),
});
