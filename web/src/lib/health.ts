import type { Device } from './fleet.js';

type HealthShape = 'ok' | 'elsewhere' | 'dirty' | 'unknown' | 'lost' | 'draining' | 'silent';

export interface HealthLook {
  word: string;
  shape: HealthShape;
  tone: 'ok' | 'idle' | 'wait' | 'bad';
  /** What it means, in one sentence, for when the device gives no reason of its own. */
  text: string;
}

const looks: Record<Device['health'], HealthLook> = {
  OK: { word: 'OK', shape: 'ok', tone: 'ok', text: 'Takes work.' },
  BUSY_ELSEWHERE: {
    word: 'Busy elsewhere',
    shape: 'elsewhere',
    tone: 'idle',
    text: 'A program that is not ours uses it.',
  },
  DIRTY: { word: 'Dirty', shape: 'dirty', tone: 'wait', text: 'Something was left behind on it.' },
  UNKNOWN: { word: 'Unknown', shape: 'unknown', tone: 'wait', text: 'It was not looked at yet.' },
  LOST: { word: 'Lost', shape: 'lost', tone: 'bad', text: 'It is gone from its machine.' },
  DRAINING: { word: 'Draining', shape: 'draining', tone: 'idle', text: 'Finishes what it runs.' },
  NOT_ANSWERING: {
    word: 'Not answering',
    shape: 'silent',
    tone: 'wait',
    text: 'Work was sent and not picked up.',
  },
};

const offline: HealthLook = {
  word: 'Offline',
  shape: 'lost',
  tone: 'bad',
  text: 'Its worker is not heard from.',
};

/** How a device stands. A device of a worker that is not heard from is offline, whatever it said last. */
export function healthOf(device: Device): HealthLook {
  if (!device.worker.online) return offline;
  return looks[device.health] ?? { ...looks.UNKNOWN, word: device.health };
}

/** The device's own sentence when it gave one. */
export const healthSentence = (device: Device): string =>
  device.worker.online && device.healthReason ? device.healthReason : healthOf(device).text;
