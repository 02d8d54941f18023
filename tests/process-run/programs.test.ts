import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeZip } from '@gjm/worker/workloads/archive/write-zip.js';
import { until } from '../support/until.js';
import { isSuperuser, ProgramWorker, removeUsers, runAs, skipReason } from './program-worker.js';

const user = runAs('programs');

(isSuperuser ? describe : describe.skip)(`a program${skipReason}`, () => {
  let worker: ProgramWorker;
  beforeAll(async () => {
    worker = await ProgramWorker.open();
    const shared = { GJM_SHARED_FOLDERS: '/usr/share,/opt', GJM_ENVIRONMENTS: 'tools=/opt/gjm-tools' };
    await worker.start({
      GJM_RUN_AS: user,
      GJM_PROGRAM_PROCESSES: '64',
      GJM_OUTPUT_BYTES: '30000000',
      ...shared,
    });
  }, 40_000);
  afterAll(async () => {
    await worker.close();
    removeUsers(user);
  });

  /** Puts a zip of these files where the worker fetches it. */
  async function archive(files: Record<string, string>) {
    const path = join(worker.folder, 'archive.zip');
    await writeZip(path, files);
    return worker.input('files', readFileSync(path));
  }

  test('gets the words of its command as they are, an empty folder, and exactly the variables that are promised', async () => {
    const script = 'ls -A; id -un; ulimit -c; env | sort; printf "%s|" "$@"';
    const words = ['$HOME', '*', '; exit 9', 'two words', ''];
    const { finish, stdout } = await worker.run(['sh', '-c', script, 'sh', ...words], {
      params: { env: { EPOCHS: '3', CUDA_VISIBLE_DEVICES: 'all' } },
    });
    expect(finish).toMatchObject({
      outcome: 'SUCCEEDED',
      engine: 'process',
      deviceClean: true,
      artifacts: [],
    });
    expect(finish.containment).toMatch(new RegExp(`as user ${user}, in a process namespace of its own`));
    const [who, core, ...rest] = stdout.split('\n');
    expect([who, core, rest.pop()]).toEqual([user, '0', `${words.join('|')}|`]);
    const folder = /^HOME=(.*)\/work$/m.exec(stdout)?.[1] ?? '';
    const set = Object.fromEntries(rest.map((line) => line.split('='))) as Record<string, string>;
    expect(set).toEqual({
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', USER: user, LOGNAME: user },
      ...{ HOME: `${folder}/work`, PWD: `${folder}/work`, TMPDIR: `${folder}/tmp` },
      ...{ EPOCHS: '3', CUDA_VISIBLE_DEVICES: '', GJM_SHARED_FOLDERS: '/usr/share,/opt' },
      ...{ GJM_JOB_ID: expect.any(String), GJM_ATTEMPT: '1', GJM_PROGRAM_MARK: expect.any(String) },
      GJM_RUNNER_OWNER: expect.any(String),
      ...{ GJM_OUTPUT_DIR: `${folder}/out`, GJM_CHECKPOINT_DIR: `${folder}/checkpoints` },
    });
    await until('its folder to be removed', () => !existsSync(folder));
  });

  test('finds its archive unpacked, and leaves regular files and nothing else', async () => {
    const files = await archive({
      'run.sh': `#!/bin/sh
        cat data/words.txt > "$GJM_OUTPUT_DIR/words.txt"
        cd "$GJM_OUTPUT_DIR" && mkdir -p logs/deep && echo '{}' > logs/deep/a.json
        ln -s /etc/passwd link && mkfifo pipe && ln words.txt again.txt
        ln -s / logs/root`,
      'data/words.txt': 'hello',
    });
    const expected = { expect: ['words.txt', '**/*.json', 'logs/*/?.json'] };
    const { attemptId, finish, stderr } = await worker.run(['./run.sh'], { params: expected, claim: files });
    expect(finish).toMatchObject({ outcome: 'SUCCEEDED' });
    expect(worker.artifacts(attemptId)).toMatchObject({
      'RESULT again.txt': Buffer.from('hello'),
      'RESULT logs/deep/a.json': Buffer.from('{}\n'),
      'RESULT words.txt': Buffer.from('hello'),
    });
    expect(finish.artifacts).toHaveLength(3);
    for (const [name, why] of Object.entries({
      link: 'a link',
      pipe: 'not a regular file',
      'logs/root': 'a link',
    }))
      expect(stderr).toContain(`The output "${name}" is left out: it is ${why}.`);
  });

  test('fails when an expected output is missing, or there is too much of it', async () => {
    const script = 'touch "$GJM_OUTPUT_DIR/model.txt"';
    const missing = await worker.run(['sh', '-c', script], { params: { expect: ['*.txt', '*.pt', 'x/**'] } });
    expect(missing.finish.failure).toEqual({
      code: 'OUTPUT_INVALID',
      message: 'No output matches "*.pt", "x/**"; there are 1 outputs.',
    });
    const large = 'cd "$GJM_OUTPUT_DIR"; for n in 1 2 3 4; do head -c 8000000 /dev/zero > $n; done';
    const { finish } = await worker.run(['sh', '-c', large]);
    expect(finish.failure).toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('32000000 bytes'),
    });
  });

  test.each([
    [
      'echo first >&2; echo "last words" >&2; exit 3',
      'exited with code 3. Its last line of errors was: last words',
    ],
    ['kill -ABRT $$', 'was ended by SIGABRT.'],
    ['kill -SEGV $$', 'was ended by SIGSEGV.'],
    ['kill -KILL $$', 'was killed by SIGKILL, by itself or by somebody else.'],
  ])('that ends by "%s" fails, and is told to have: it %s', async (script, words) => {
    const { finish } = await worker.run(['sh', '-c', script]);
    expect(finish).toMatchObject({ outcome: 'FAILED', deviceClean: true });
    expect(finish.failure).toEqual({ code: 'WORKLOAD_ERROR', message: `The program ${words}` });
  });

  // Where the system hands cores to a program of its own, none would lie here anyway.
  test.each(['ABRT', 'SEGV'])(
    'leaves no core of a child that dies of SIG%s, nor may it want one',
    async (signal) => {
      const script = `cd "$GJM_OUTPUT_DIR"; echo kept > kept
      for raise in 'ulimit -S -c 1000' 'ulimit -H -c 1000' 'ulimit -c unlimited'; do
        sh -c "$raise && echo RAISED" 2>/dev/null; sh -c "$raise; kill -${signal} \\$\\$" 2>/dev/null; echo $?
      done; ls -A "$GJM_OUTPUT_DIR" "$HOME" "$TMPDIR" "$GJM_CHECKPOINT_DIR"`;
      const { attemptId, finish, stdout } = await worker.run(['sh', '-c', script]);
      expect(finish).toMatchObject({ outcome: 'SUCCEEDED', artifacts: [{}] });
      expect(worker.artifacts(attemptId)).toMatchObject({ 'RESULT kept': Buffer.from('kept\n') });
      const code = String(128 + constants.signals[`SIG${signal as 'ABRT' | 'SEGV'}`]);
      expect(stdout.split('\n').filter((line) => line !== '' && !line.endsWith(':'))).toEqual([
        ...[code, code, code, 'kept'],
      ]);
    },
  );

  test('that is not there, or whose environment is not, fails with a sentence that names it', async () => {
    const absent = await worker.run(['no-such-program']);
    expect(absent.finish.failure?.message).toMatch(/exited with code 127.*no-such-program.*No such file/);
    const params = { environment: 'torch' };
    const { finish } = await worker.run(['true'], { params });
    expect(finish.failure).toEqual({
      code: 'NO_ENGINE',
      message: 'This worker has no environment torch; it has: tools.',
    });
    const { stdout } = await worker.run(['sh', '-c', 'echo $PATH $VIRTUAL_ENV'], {
      params: { environment: 'tools' },
    });
    expect(stdout).toBe('/opt/gjm-tools/bin:/usr/local/bin:/usr/bin:/bin /opt/gjm-tools\n');
  });

  test('tells of progress and metrics by lines, and its other lines are a log, kept whole', async () => {
    const script = `
      echo "::gjm progress 0.25 step=3 total=12 third shard"
      echo "::gjm metric loss=0.5 accuracy=nan step=3"
      echo "::gjm metric loss"
      printf '10%%\\r20%%\\r30%%\\n'
      printf 'bad \\377\\000 bytes\\n' >&2
      head -c 3000000 /dev/zero | tr '\\000' x`;
    const { attemptId, finish, stdout, stderr } = await worker.run(['sh', '-c', script]);
    expect(finish).toMatchObject({ outcome: 'SUCCEEDED' });
    const items = worker.server.items(attemptId);
    expect(items).toContainEqual(
      expect.objectContaining({
        type: 'progress',
        fraction: 0.25,
        step: 3,
        total: 12,
        message: 'third shard',
      }),
    );
    expect(items.filter((item) => item.type === 'metric')).toMatchObject([
      { name: 'loss', step: 3, value: 0.5 },
      { name: 'accuracy', step: 3, value: null, special: 'NaN' },
    ]);
    expect(stdout).toContain('::gjm metric loss\n30%\nxxx');
    expect(stderr).toBe('bad \uFFFD\uFFFD bytes\n');
    const artifacts = worker.artifacts(attemptId);
    expect(artifacts['LOG stderr.log']).toEqual(Buffer.from('bad \xff\0 bytes\n', 'latin1'));
    expect(artifacts['LOG stdout.log']?.subarray(-3_000_000).every((byte) => byte === 120)).toBe(true);
    expect(artifacts['LOG stdout.log']?.toString('latin1')).toContain('10%\r20%\r30%\n');
  });

  test('leaves checkpoints by moving them into their folder, and goes on from the newest of an earlier attempt', async () => {
    const script = `
      cat "$GJM_RESUME_FROM"; cd "$GJM_CHECKPOINT_DIR"
      echo half > unfinished.tmp; echo hidden > .hidden; ln -s /etc/passwd link
      echo one > .a && mv .a last.pt && echo saved && while [ ! -e ../work/go ]; do sleep 0.05; done
      echo two > .a && mv .a last.pt`;
    const resumed = worker.checkpoint(Buffer.from('from before\n'));
    const attemptId = await worker.submit(['sh', '-c', script], { claim: resumed });
    await worker.saying(attemptId, 'saved');
    await worker.storing(attemptId, 'CHECKPOINT 1-last.pt');
    worker.touch('go');
    const { outcome } = await worker.endOf(attemptId);
    expect(outcome).toBe('SUCCEEDED');
    expect(worker.textOf(attemptId, 'STDOUT')).toBe('from before\nsaved\n');
    const stored = Object.entries(worker.artifacts(attemptId)).filter(([name]) =>
      name.startsWith('CHECKPOINT'),
    );
    expect(stored).toEqual([
      ['CHECKPOINT 1-last.pt', Buffer.from('one\n')],
      ['CHECKPOINT 2-last.pt', Buffer.from('two\n')],
    ]);
  });

  test('is told the trace of its attempt', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { stdout } = await worker.run(['sh', '-c', 'echo $TRACEPARENT'], { traceId });
    expect(stdout).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01\n$`));
  });

  test('can not have more processes than it may', async () => {
    const { finish, stdout } = await worker.run([
      ...['sh', '-c', 'for n in $(seq 100); do sleep 60 & done 2>/dev/null; echo unreached'],
    ]);
    expect(finish.failure?.message).toMatch(/Cannot fork|Resource temporarily unavailable|exited with code/);
    expect(stdout).toBe('');
  });

  test('may have any number of children that lost their parents, as long as few live at once', async () => {
    const script = `
      for batch in 1 2 3 4 5 6 7 8; do
        for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do (true &); done
        while [ $(ls -d /proc/[0-9]* | wc -l) -gt 15 ]; do sleep 0.01; done
      done; echo done`;
    const { finish, stdout } = await worker.run(['sh', '-c', script], { claim: { runMs: 10_000 } });
    expect(finish).toMatchObject({ outcome: 'SUCCEEDED' });
    expect(stdout).toBe('done\n');
  });

  const python = '/usr/bin/python3';
  const hasPython = existsSync(python);
  if (!hasPython) console.warn('The tests with a Python script are skipped: there is no /usr/bin/python3.');

  (hasPython ? test : test.skip)('in Python reports a progress bar, and what it died of', async () => {
    const script = `
import resource, sys, time
for n in range(3):
    sys.stdout.write(f"\\rtraining {n}"); sys.stdout.flush()
print()
resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))
bytearray(1_000_000_000)`;
    const { attemptId, finish, stdout } = await worker.run([python, '-c', script]);
    expect(stdout).toBe('training 2\n');
    expect(finish.failure).toEqual({
      code: 'WORKLOAD_ERROR',
      message: 'The program exited with code 1. Its last line of errors was: MemoryError',
    });
    expect(worker.artifacts(attemptId)['LOG stdout.log']?.toString()).toBe(
      '\rtraining 0\rtraining 1\rtraining 2\n',
    );
  });
});
