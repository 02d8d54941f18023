import { programEngine } from '@gjm/core/plan/plan.js';
import type { DeviceReport } from '@gjm/core/wire/worker-api.js';
import type { FoundDevice } from '../device/probe.js';
import type { ProgramHost } from './program-host.js';

/** A device whose worker runs programs: one more engine, and a label for each named environment. */
export function offerPrograms(report: DeviceReport, { environments }: ProgramHost): DeviceReport {
  const labels = Object.fromEntries(environments.map((name) => [`env.${name}`, '1']));
  return {
    ...report,
    engines: [...report.engines, programEngine],
    labels: { ...report.labels, ...labels },
  };
}

/** Variables in which a list names several devices; any other pins to the first. */
const listVariables = new Set(['CUDA_VISIBLE_DEVICES']);

/** The variables that pin a process to all of these devices, in the order of `uids`. */
export function pinToAll(
  devices: readonly Pick<FoundDevice, 'uid' | 'pin'>[],
  uids: readonly string[],
): Record<string, string> {
  const pins = uids
    .map((uid) => devices.find((device) => device.uid === uid)?.pin)
    .filter((pin) => pin !== undefined);
  const names = new Set(pins.flatMap((pin) => Object.keys(pin)));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = pins.flatMap((pin) => pin[name] ?? []);
      return [
        name,
        listVariables.has(name) ? values.filter((value) => value !== '').join(',') : (values[0] ?? ''),
      ];
    }),
  );
}
