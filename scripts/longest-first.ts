/** What jest gives of a test file. */
interface TestFile {
  path: string;
}

/** Files that take longest, the longest first: those that start stacks of their own, or many processes, or drive a browser. */
const longest = [
  'tests/chaos/harm.test.ts',
  'tests/web/outage.test.ts',
  'tests/e2e/training.test.ts',
  'tests/e2e/restarts.test.ts',
  'tests/integration/accounts.test.ts',
  'tests/web/access.test.ts',
  'tests/chaos/two-machines.test.ts',
  'tests/integration/server.test.ts',
  'tests/chaos/fault-points.test.ts',
  'tests/chaos/stores-away.test.ts',
  'tests/integration/worker-process.test.ts',
];

/**
 * The order in which jest runs files: in a fresh clone it knows no durations, and a long file that starts last keeps one worker busy while
 * the other has nothing to do.
 */
export default class LongestFirst {
  sort<File extends TestFile>(files: File[]): File[] {
    const rank = ({ path }: File): number => {
      const place = longest.findIndex((name) => path.endsWith(`/${name}`));
      return place === -1 ? longest.length : place;
    };
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  }

  /** Durations of earlier runs are not kept. */
  cacheResults(): void {}
}
