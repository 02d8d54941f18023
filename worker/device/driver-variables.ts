import { z } from 'zod';

const given = z.string().optional();

/**
 * Variables of the system that GPU drivers and their loaders read: where libraries and drivers lie, and which device they show. Runner
 * children get them as the worker has them.
 */
export const driverVariables = {
  LD_LIBRARY_PATH: given,
  VK_DRIVER_FILES: given,
  VK_ICD_FILENAMES: given,
  VK_ADD_DRIVER_FILES: given,
  MESA_VK_DEVICE_SELECT: given,
  MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE: given,
  DRI_PRIME: given,
  LP_NUM_THREADS: given,
};

type DriverVariable = keyof typeof driverVariables;

/** Those among all variables. */
export function driverVariablesOf(
  all: Partial<Record<DriverVariable, string | undefined>>,
): Partial<Record<DriverVariable, string>> {
  const names = Object.keys(driverVariables) as DriverVariable[];
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}
