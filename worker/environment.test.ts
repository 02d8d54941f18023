import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readEnvironment } from './environment.js';

const required = { GJM_SERVER: 'http://host:4000/', GJM_WORKER_TOKEN: 'gjmw_abc' };

describe('worker environment', () => {
  test('server and token are enough', () => {
    const answer = readEnvironment(['--server', 'http://host:4000', '--token', 'gjmw_abc'], { PATH: '/bin' });
    expect(answer).toMatchObject({
      ok: true,
      value: { server: 'http://host:4000', token: 'gjmw_abc', cpuSlots: 1, drainMs: 0, fault: null },
    });
  });

  test('all problems are told at once, in sentences', () => {
    const answer = readEnvironment([], { GJM_CPU_SLOTS: 'many', GJM_DRAIN_MS: '-1' });
    if (answer.ok) throw new Error('must not pass');
    expect(answer.problems).toHaveLength(4);
    expect(answer.problems.join('\n')).toMatch(/No server.*\n?.*No worker token/s);
    expect(answer.problems.join('\n')).toMatch(/GJM_CPU_SLOTS must be a whole number from 1 to 256\./);
  });

  test('runner children get the variables of GPU drivers, and of the rest only what is no secret', () => {
    const answer = readEnvironment([], {
      ...required,
      PATH: '/bin',
      VK_DRIVER_FILES: '/a.json',
      HTTP_PROXY: 'x',
    });
    if (!answer.ok) throw new Error('must pass');
    expect(answer.value.childEnv).toEqual({ PATH: '/bin', VK_DRIVER_FILES: '/a.json' });
    expect(answer.value.allowSoftwareGpu).toBe(false);
  });

  test('a token comes from a file, and two sources on the command line are refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gjm-env-'));
    const path = join(folder, 'token');
    writeFileSync(path, 'gjmw_file\n');
    const env = { GJM_SERVER: required.GJM_SERVER };
    expect(readEnvironment(['--token-file', path], env)).toMatchObject({
      ok: true,
      value: { token: 'gjmw_file' },
    });
    expect(readEnvironment(['--token-file', path, '--token', 'x'], env).ok).toBe(false);
    expect(readEnvironment(['--token-file', `${path}-gone`], env)).toEqual({
      ok: false,
      problems: [`The token file ${path}-gone can not be read.`],
    });
    rmSync(folder, { recursive: true });
  });

  test('a worker that runs programs takes no token that they could read on its command line', () => {
    const env = { ...required, GJM_ALLOW_PROCESS_RUN: '1', GJM_SHARED_FOLDERS: '/data/sets, /models' };
    expect(readEnvironment(['--token', 'gjmw_abc'], env)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('takes no --token')],
    });
    expect(readEnvironment([], { ...env, GJM_ENVIRONMENTS: 'torch=/opt/torch,jax=/opt/jax' })).toMatchObject({
      ok: true,
      value: {
        programs: {
          ...{
            runAs: 'gjm-run',
            allowsSameUser: false,
            keeping: 'auto',
            sharedFolders: ['/data/sets', '/models'],
          },
          environments: { torch: '/opt/torch', jax: '/opt/jax' },
        },
      },
    });
    const bad = readEnvironment([], {
      ...env,
      GJM_ENVIRONMENTS: 'torch',
      GJM_SHARED_FOLDERS: 'data',
      GJM_RUN_AS: 'A B',
    });
    expect(bad.ok ? [] : bad.problems).toHaveLength(3);
  });

  test('a fault needs diagnostic jobs to be allowed, and points of the server are not ours', () => {
    const faultOf = (env: Record<string, string>) => {
      const answer = readEnvironment([], { ...required, ...env });
      return answer.ok && answer.value.fault;
    };
    expect(faultOf({ GJM_FAULT: 'worker-after-pop:exit' })).toBeNull();
    expect(faultOf({ GJM_FAULT: 'worker-after-pop:delay=50', GJM_DIAGNOSTIC_JOBS: '1' })).toEqual({
      act: 'delay',
      ms: 50,
    });
    expect(faultOf({ GJM_FAULT: 'after-claim-commit:exit', GJM_DIAGNOSTIC_JOBS: '1' })).toBeNull();
  });

  test('a runner inherits nothing secret', () => {
    const answer = readEnvironment([], {
      ...required,
      PATH: '/bin',
      HOME: '/home/x',
      REDIS_URL: 'redis://:secret@h',
    });
    expect(answer.ok && answer.value.childEnv).toEqual({ PATH: '/bin', HOME: '/home/x' });
  });
});
