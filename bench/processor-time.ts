import { readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of this length, in ms (USER_HZ is 100 on every architecture we run on). */
const tickMs = 10;

/** Processor time that a process has used so far, user and system, in ms. Source: proc(5), fields 14 and 15 of /proc/<pid>/stat. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** The processor time of a worker's runners so far, in ms: its children of that name. */
export const runnersProcessorMs = (workerPid: number): number =>
  readFileSync(`/proc/${workerPid}/task/${workerPid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('gjm-runner'))
    .reduce((sum, pid) => sum + processorMs(Number(pid)), 0);
