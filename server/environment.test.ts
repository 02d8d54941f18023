import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentError, isLoopbackHost, readEnvironment } from './environment.js';

const good = {
  DATABASE_URL: 'postgres://u:p@localhost/db',
  REDIS_URL: 'redis://:p@localhost:6379',
  GJM_SECRET: '0123456789abcdef'.repeat(2),
};

/** The sentences of a refusal. */
function problemsOf(variables: Record<string, string | undefined>): string {
  try {
    readEnvironment({ ...good, ...variables });
  } catch (error) {
    expect(error).toBeInstanceOf(EnvironmentError);
    return (error as Error).message;
  }
  throw new Error('These settings were taken.');
}

describe('readEnvironment', () => {
  test('has a default for all but addresses and secret', () => {
    expect(readEnvironment(good)).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      isLoopback: true,
      registration: 'open',
      uploadBytes: 2 * 1024 ** 3,
      logBytes: 256 * 1024 ** 2,
      accessTokenSeconds: 900,
      diagnosticJobs: false,
      programUsers: 'off',
      fault: null,
      timing: { leaseMs: 10_000, heartbeatMs: 2_000, graceMs: 5_000, tickMs: 1_000 },
      workerRedisUrl: good.REDIS_URL,
    });
  });

  test('an empty variable counts as unset', () => {
    expect(readEnvironment({ ...good, GJM_PORT: '', GJM_FAULT: '' }).port).toBe(4000);
  });

  test('programs are for nobody, all, or the users of some addresses', () => {
    const users = (text: string) => readEnvironment({ ...good, GJM_PROCESS_RUN: text }).programUsers;
    expect(users('all')).toBe('all');
    expect(users('Ann@example.com, bob@example.com')).toEqual(
      new Set(['ann@example.com', 'bob@example.com']),
    );
    expect(problemsOf({ GJM_PROCESS_RUN: 'yes' })).toMatch(/GJM_PROCESS_RUN: must be off, all, or/);
  });

  test('names every problem at once', () => {
    const text = problemsOf({
      GJM_SECRET: 'short',
      GJM_PORT: 'x',
      REDIS_URL: 'http://x',
      GJM_FAULT: 'x:exit',
      GJM_LEASE_MS: '100',
      GJM_HEARTBEAT_MS: '99',
    });
    for (const name of ['GJM_SECRET', 'GJM_PORT', 'REDIS_URL', 'GJM_FAULT', 'GJM_HEARTBEAT_MS'])
      expect(text).toContain(name);
  });

  test('files lie in a folder, or in a bucket whose settings fit each other', () => {
    expect(readEnvironment({ ...good, GJM_DATA_DIR: '/data' }).artifacts).toEqual({
      kind: 'folder',
      folder: '/data/artifacts',
    });
    const s3 = { GJM_ARTIFACT_STORE: 's3', GJM_S3_BUCKET: 'files' };
    expect(readEnvironment({ ...good, ...s3 }).artifacts).toEqual({
      kind: 's3',
      bucket: 'files',
      prefix: '',
      endpoint: null,
      region: 'us-east-1',
      pathStyle: false,
      credentials: null,
    });
    const near = { ...s3, GJM_S3_ENDPOINT: 'http://store:9000', GJM_S3_PREFIX: 'team/a' };
    expect(readEnvironment({ ...good, ...near }).artifacts).toMatchObject({
      prefix: 'team/a/',
      pathStyle: true,
    });
    expect(problemsOf({ GJM_ARTIFACT_STORE: 's3' })).toContain('GJM_S3_BUCKET: is required');
    expect(problemsOf({ ...s3, GJM_S3_ACCESS_KEY_ID: 'a' })).toContain('give both, or neither');
    expect(problemsOf({ ...s3, GJM_S3_PREFIX: '../x', GJM_S3_ENDPOINT: 'store:9000' })).toMatch(
      /GJM_S3_ENDPOINT.*\n.*GJM_S3_PREFIX/,
    );
  });

  test('a secret may be the content of a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gjm-secrets-'));
    const [file, empty] = [join(folder, 'secret'), join(folder, 'empty')];
    writeFileSync(file, `${good.GJM_SECRET}\n`);
    writeFileSync(empty, '\n');
    const inFile = { GJM_SECRET: undefined, GJM_SECRET_FILE: file };
    expect(readEnvironment({ ...good, ...inFile }).secret).toBe(good.GJM_SECRET);
    expect(problemsOf({ GJM_SECRET_FILE: file })).toContain('GJM_SECRET, GJM_SECRET_FILE: give one of them');
    expect(problemsOf({ ...inFile, GJM_SECRET_FILE: empty })).toContain('is empty');
    expect(problemsOf({ ...inFile, GJM_SECRET_FILE: `${file}-none` })).toContain('can not be read (ENOENT)');
    rmSync(folder, { recursive: true });
  });

  test('a missing secret is told as missing', () => {
    expect(problemsOf({ GJM_SECRET: undefined })).toContain('GJM_SECRET: is required');
    for (const plain of ['x'.repeat(32), 'changeme'.repeat(4), '1234567'.repeat(5)])
      expect(problemsOf({ GJM_SECRET: plain })).toContain('GJM_SECRET: is no random text');
  });

  test('beyond loopback Redis needs a password, and open registration is closed', () => {
    expect(problemsOf({ GJM_HOST: '0.0.0.0', REDIS_URL: 'redis://localhost' })).toContain(
      'REDIS_URL: needs a password',
    );
    expect(readEnvironment({ ...good, GJM_HOST: '0.0.0.0' }).registration).toBe('invite');
    expect(readEnvironment({ ...good, GJM_HOST: '0.0.0.0', GJM_REGISTRATION: 'open' }).registration).toBe(
      'invite',
    );
    expect(readEnvironment({ ...good, GJM_HOST: '0.0.0.0', GJM_REGISTRATION: 'closed' }).registration).toBe(
      'closed',
    );
  });

  test('a fault needs diagnostic jobs', () => {
    expect(problemsOf({ GJM_FAULT: 'after-submit-commit:exit' })).toContain('GJM_DIAGNOSTIC_JOBS=1');
    const allowed = { ...good, GJM_DIAGNOSTIC_JOBS: '1' };
    expect(readEnvironment({ ...allowed, GJM_FAULT: 'after-submit-commit:exit' }).fault).toEqual({
      point: 'after-submit-commit',
      delayMs: null,
    });
    expect(readEnvironment({ ...allowed, GJM_FAULT: 'worker-after-pop:delay=50' }).fault).toEqual({
      point: 'worker-after-pop',
      delayMs: 50,
    });
  });

  test.each<[string, boolean]>([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['127.0.0.1.example.com', false],
    ['192.168.0.1', false],
  ])('%s is loopback: %s', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected);
  });
});
