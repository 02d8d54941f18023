import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '@gjm/server/artifacts/settings.js';
import { findFreePort } from '@gjm/stack/free-port.js';
import { givenS3, programFolders } from '../operations/environment.js';
import { until } from './until.js';

/** A real S3 server to test against: one that is given, or one that the test runs. */
export interface S3Server {
  /** A place that nobody else uses. */
  place(): S3Settings;
  /** Ends the process at once, where it is ours; resolves when it is gone. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const program = programFolders()
  .map((folder) => join(folder, 'versitygw'))
  .find((path) => existsSync(path));

/** Whether one can be had: `GJM_TEST_S3_ENDPOINT`, or the program `versitygw` (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0). */
export const hasS3 = (): boolean => givenS3() !== null || program !== undefined;

const bucket = 'gjm-test';
const freshPrefix = (): string => `${randomBytes(6).toString('hex')}/`;

export async function openS3(): Promise<S3Server> {
  const given = givenS3();
  if (!given) return startVersity();
  const { endpoint, accessKeyId, secretAccessKey } = given;
  const credentials = { accessKeyId, secretAccessKey };
  return {
    place: () => ({
      ...{ kind: 's3', bucket: given.bucket, prefix: freshPrefix() },
      ...{ endpoint, region: 'us-east-1', pathStyle: true, credentials },
    }),
    kill: () => Promise.reject(new Error('This server is not ours to end.')),
    close: () => Promise.resolve(),
  };
}

/** Versity's gateway over a folder that goes with it. */
async function startVersity(): Promise<S3Server> {
  if (program === undefined) throw new Error('There is no S3 server here.');
  const folder = await mkdtemp(join(tmpdir(), 'gjm-s3-'));
  for (const name of ['data', 'meta']) await mkdir(join(folder, name, bucket), { recursive: true });
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  const credentials = { accessKeyId: 'gjm', secretAccessKey: randomBytes(16).toString('hex') };
  const { accessKeyId, secretAccessKey } = credentials;
  const args = ['--quiet', '--port', new URL(endpoint).host];
  const child = spawn(program, [...args, 'posix', '--sidecar', join(folder, 'meta'), join(folder, 'data')], {
    env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until('the S3 server answers', () =>
    fetch(endpoint).then(
      (answer) => answer.status > 0,
      () => false,
    ),
  );
  const kill = () => {
    child.kill('SIGKILL');
    return gone;
  };
  return {
    place: () => ({
      ...{ kind: 's3', bucket, prefix: freshPrefix() },
      ...{ endpoint, region: 'us-east-1', pathStyle: true, credentials },
    }),
    kill,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
