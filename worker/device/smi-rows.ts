/** One GPU as `nvidia-smi` has it; null where it does not tell. */
export interface GpuRow {
  uid: string;
  name: string | null;
  /** Place on the bus, without leading zeros of its domain: what faults name. */
  bus: string | null;
  memoryTotalBytes: number | null;
  memoryUsedBytes: number | null;
  /** 0 to 1. */
  utilisation: number | null;
  temperatureCelsius: number | null;
  powerWatts: number | null;
  driver: string | null;
  computeCapability: string | null;
  /** The driver says that it has lost this one. */
  isLost: boolean;
}

/** What one answer says of all GPUs. */
export interface GpuSighting {
  rows: GpuRow[];
  /** Buses of GPUs that the driver could not even ask. */
  lostBuses: string[];
}

/** A process that has memory of a GPU. */
export interface GpuProcess {
  gpuUid: string;
  pid: number;
  memoryBytes: number | null;
}

const everywhere = ['uuid', 'name', 'pci.bus_id', 'memory.total', 'memory.used'];
const measured = ['utilization.gpu', 'temperature.gpu', 'power.draw'];
/** Columns to ask for, the most telling list first: a driver that does not know one of them refuses the whole query. */
export const columnLists: readonly (readonly string[])[] = [
  [...everywhere, ...measured, 'driver_version', 'compute_cap'],
  [...everywhere, ...measured],
  everywhere,
];

/** Whether this is the refusal of a column. */
export const isColumnRefusal = (lines: readonly string[]): boolean =>
  lines.some((line) => /not a valid field/i.test(line));

/** There is a driver, and no GPU. */
export const saysNone = (lines: readonly string[]): boolean =>
  lines.some((line) => /no devices were found/i.test(line));

/** `GPU-<uuid>`, `MIG-<uuid>` and the older `MIG-GPU-<uuid>/<gpu instance>/<compute instance>`. */
const uidPattern = /\b(?:MIG-)?(?:GPU-|MIG-)[0-9a-zA-Z-]+(?:\/\d+){0,2}/;
const lostPattern = /is lost|fallen off the bus|requires reset/i;
const busPattern = /([0-9a-f]{4,8}):([0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])/i;

/**
 * Reads the lines of a query for these columns. Each field is read on its own; a line with a GPU's id but not as many fields is that GPU
 * with nothing known of it; all other lines are nothing.
 */
export function readGpuRows(lines: readonly string[], columns: readonly string[]): GpuSighting {
  const rows: GpuRow[] = [];
  const lostBuses: string[] = [];
  for (const line of lines) {
    const uid = uidPattern.exec(line)?.[0];
    if (uid) rows.push(readRow(line, uid, columns));
    else if (lostPattern.test(line) || /unable to determine the device handle/i.test(line)) {
      const bus = busOf(line);
      if (bus) lostBuses.push(bus);
    }
  }
  return { rows, lostBuses };
}

function readRow(line: string, uid: string, columns: readonly string[]): GpuRow {
  const cells = line.split(',').map((cell) => cell.trim());
  const cell = (name: string): string | null => {
    const text = cells.length === columns.length ? cells[columns.indexOf(name)] : undefined;
    return text === undefined || text === '' || /^\[.*\]$|^N\/A$|^ERR!?$/i.test(text) ? null : text;
  };
  const utilisation = numberOf(cell('utilization.gpu'));
  return {
    uid,
    name: cell('name'),
    bus: busOf(cell('pci.bus_id') ?? ''),
    memoryTotalBytes: bytesOf(cell('memory.total')),
    memoryUsedBytes: bytesOf(cell('memory.used')),
    utilisation: utilisation === null ? null : Math.min(1, utilisation / 100),
    temperatureCelsius: numberOf(cell('temperature.gpu')),
    powerWatts: numberOf(cell('power.draw')),
    driver: cell('driver_version'),
    computeCapability: cell('compute_cap'),
    isLost: lostPattern.test(line),
  };
}

/** Reads the answer to `--query-compute-apps=gpu_uuid,pid,used_memory`. */
export function readProcesses(lines: readonly string[]): GpuProcess[] {
  return lines.flatMap((line) => {
    const [gpuUid = '', pid = '', memory = ''] = line.split(',').map((cell) => cell.trim());
    if (!uidPattern.test(gpuUid) || !/^\d+$/.test(pid)) return [];
    return [{ gpuUid, pid: Number(pid), memoryBytes: bytesOf(memory) }];
  });
}

/** A part of a GPU that its driver offers as a device. */
export interface MigSlice {
  uid: string;
  gpuUid: string;
  /** Its profile, such as "1g.5gb". */
  profile: string;
}

/** Reads the slices out of the answer to `-L`, where they are indented below their GPU. */
export function readSlices(lines: readonly string[]): MigSlice[] {
  let gpuUid: string | null = null;
  const slices: MigSlice[] = [];
  for (const line of lines) {
    const uid = /\(UUID:\s*([^)\s]+)\)/i.exec(line)?.[1];
    if (!uid) continue;
    const profile = /^\s+MIG\s+(\S+)/.exec(line)?.[1];
    if (!profile) gpuUid = uid;
    else if (gpuUid) slices.push({ uid, gpuUid, profile });
  }
  return slices;
}

/** "00000000:81:00.0" and "0000:81:00.0" are the same place. */
function busOf(text: string): string | null {
  const [, domain, place] = busPattern.exec(text) ?? [];
  return domain && place ? `${domain.replace(/^0+(?=.{4})/, '')}:${place}`.toLowerCase() : null;
}

/** A whole or broken number with nothing but a unit behind it, never below 0. */
function numberOf(text: string | null): number | null {
  const number = /^(\d+(?:\.\d+)?)(?:\s*[a-z%]+)?$/i.exec(text ?? '')?.[1];
  return number === undefined ? null : Number(number);
}

/** Memory is told in MiB. */
function bytesOf(text: string | null): number | null {
  const mebibytes = numberOf(text);
  return mebibytes === null ? null : Math.round(mebibytes * 1024 * 1024);
}
