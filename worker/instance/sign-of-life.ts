import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a worker shows those who look after processes. `alive`: its loop turns, whether a server is there or not; without it only a restart
 * helps. `answered`: a server has answered its hello or one of its latest beats.
 */
export type Sign = 'alive' | 'answered';

export const signs: readonly Sign[] = ['alive', 'answered'];

/** How often `alive` is renewed, and for how long it counts, in ms. */
const aliveEveryMs = 5_000;
const aliveForMs = 60_000;
/** So many beats may fail before `answered` does not count any more. */
const missedBeats = 10;

const pathOf = (folder: string, sign: Sign): string => join(folder, `sign-${sign}`);

/**
 * Each sign is an empty file in the worker's folder whose time of change is when the sign ends: to renew it takes no room on a full disk, and
 * one who looks need not know how often it is renewed. A sign that can not be written is not renewed: its disk is gone.
 */
export class SignOfLife {
  readonly #folder: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Takes back the signs of an earlier life, and begins this one's. Call it under the folder's lock. */
  start(everyMs = aliveEveryMs, forMs = aliveForMs): void {
    for (const sign of signs) {
      closeSync(openSync(pathOf(this.#folder, sign), 'w', 0o600));
      utimesSync(pathOf(this.#folder, sign), 0, 0);
    }
    this.#renew('alive', forMs);
    this.#timer = setInterval(() => this.#renew('alive', forMs), everyMs).unref();
  }

  /** A server that expects a beat every `heartbeatMs` has answered. */
  answered(heartbeatMs: number): void {
    this.#renew('answered', missedBeats * heartbeatMs);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const sign of signs) rmSync(pathOf(this.#folder, sign), { force: true });
  }

  #renew(sign: Sign, forMs: number): void {
    const end = (Date.now() + forMs) / 1_000;
    void utimes(pathOf(this.#folder, sign), end, end).catch(() => undefined);
  }
}

/** Whether the worker of a folder shows this sign now. */
export function showsSign(folder: string, sign: Sign): boolean {
  const end = statSync(pathOf(folder, sign), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return end > Date.now();
}
