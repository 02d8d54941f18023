import { createRequire } from 'node:module';
import type { default as Types } from '@jest/test-sequencer';

// The package's types describe its CommonJS form only.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as {
  default: typeof Types.default;
};

type Test = Parameters<InstanceType<typeof Sequencer>['sort']>[0] extends Iterable<infer T> ? T : never;

/** Files that take longest, the longest first: those that start stacks of their own, or many processes, or drive a browser. */
const longest = [
  'tests/chaos/harm.test.ts',
  'tests/web/outage.test.ts',
  'tests/e2e/training.test.ts',
  'tests/operations/backup.test.ts',
  'tests/operations/one-stack.test.ts',
  'tests/process-run/containment.test.ts',
  'tests/e2e/restarts.test.ts',
  'tests/integration/accounts.test.ts',
  'tests/web/access.test.ts',
  'tests/chaos/two-machines.test.ts',
  'tests/integration/server.test.ts',
  'tests/chaos/fault-points.test.ts',
  'tests/chaos/stores-away.test.ts',
  'tests/integration/worker-process.test.ts',
  'tests/devices/gpu-jobs.test.ts',
];

/**
 * The order in which jest runs files: in a fresh clone it knows no durations, and a long file that starts last keeps one worker busy while
 * the other has nothing to do.
 */
export default class LongestFirst extends Sequencer {
  override sort(tests: Test[]): Test[] {
    const rank = ({ path }: Test): number => {
      const place = longest.findIndex((name) => path.endsWith(`/${name}`));
      return place === -1 ? longest.length : place;
    };
    return [...tests].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  }
}
