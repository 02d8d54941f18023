import type { DeviceRecord } from './records.js';

/** What watchers know of a device: how it looks, and when each slot is expected to be free, in ms; null where that is not known. */
export interface DeviceLook {
  text: string;
  ends: (number | null)[];
}

/** An expected end counts as moved when it did so by this much, in ms, or by this share of what is left. */
const movedMs = 10_000;
const movedShare = 0.1;

/** `now` is any steady clock, in ms. */
export function lookOf(device: DeviceRecord, now: number): DeviceLook {
  const slots = device.slots.map(({ etaSeconds: _, ...slot }) => slot);
  return {
    text: JSON.stringify({ ...device, slots }),
    ends: device.slots.map(({ etaSeconds }) => (etaSeconds === null ? null : now + etaSeconds * 1_000)),
  };
}

/** Whether watchers are to be told. Time that merely passes changes nothing: what is left is counted down by whoever shows it. */
export function isNewLook(before: DeviceLook | undefined, after: DeviceLook, now: number): boolean {
  if (before?.text !== after.text) return true;
  return after.ends.some((end, index) => {
    const earlier = before.ends[index] ?? null;
    if (end === null || earlier === null) return end !== earlier;
    return Math.abs(end - earlier) > Math.max(movedMs, movedShare * (end - now));
  });
}
