import { connectS3 } from '../artifacts/s3-client.js';
import { claimBucket } from '../artifacts/s3-marker.js';
import { createS3Store } from '../artifacts/s3.js';
import type { S3Settings } from '../artifacts/settings.js';
import type { MarkedInstallation } from '../artifacts/store-problem.js';
import { requireBucket } from '../preflight/check-bucket.js';
import type { Releases } from '../releases.js';
import type { Artifacts } from './open-artifacts.js';

/** Opens a place in a bucket; the client ends with the server. */
export async function openBucket(
  settings: S3Settings,
  installation: MarkedInstallation,
  beforeCommit: (() => Promise<void>) | null,
  releases: Releases,
): Promise<Artifacts> {
  const client = connectS3(settings);
  releases.add('artifact bucket', () => client.destroy());
  await claimBucket(client, settings, installation);
  return {
    store: createS3Store(client, settings, { beforeCommit }),
    artifactLooks: [['artifact-bucket', () => requireBucket(client, settings, installation.id)]],
  };
}
