import { delimiter, join } from 'node:path';

/** A server of the S3 protocol that somebody runs for these tests; null when none is named. */
export interface GivenS3 {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** `GJM_TEST_S3_ENDPOINT`, `…_BUCKET`, `…_ACCESS_KEY_ID` and `…_SECRET_ACCESS_KEY`. */
export function givenS3(): GivenS3 | null {
  const endpoint = process.env['GJM_TEST_S3_ENDPOINT'];
  if (!endpoint) return null;
  const read = (name: string): string => {
    const value = process.env[name];
    if (!value) throw new Error(`GJM_TEST_S3_ENDPOINT is set, and ${name} is not.`);
    return value;
  };
  return {
    endpoint,
    bucket: read('GJM_TEST_S3_BUCKET'),
    accessKeyId: read('GJM_TEST_S3_ACCESS_KEY_ID'),
    secretAccessKey: read('GJM_TEST_S3_SECRET_ACCESS_KEY'),
  };
}

/** Where programs are looked for: PATH, and where Go installs them. */
export const programFolders = (): string[] => [
  ...(process.env['PATH'] ?? '').split(delimiter),
  process.env['GOBIN'] ?? join(process.env['GOPATH'] ?? join(process.env['HOME'] ?? '/', 'go'), 'bin'),
];
