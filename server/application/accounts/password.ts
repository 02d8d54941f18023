import { hash, verify } from '@node-rs/argon2';

/** argon2id (the library's default) with the parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const { memoryCost, timeCost, parallelism } = parameters;
const currentForm = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;

/** Whether a hash was made with other parameters than those of today. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(currentForm);

/** The server is too busy with other passwords. */
export class HashingBusy extends Error {}

/** Hashes with at most `running` at work and `waiting` in line: the next one gets {@link HashingBusy}, so that a flood costs no memory. */
export function createPasswords(limits = { running: 2, waiting: 128 }) {
  const gate = createGate(limits.running, limits.waiting);
  // Verified against when there is no account or no password, so that each try costs the same.
  const decoy = hash('no account has this password', parameters);
  return {
    hash: (password: string): Promise<string> => gate(() => hash(password, parameters)),
    /** False for a null hash, after the same work. */
    verify: (passwordHash: string | null, password: string): Promise<boolean> =>
      gate(async () => (await verify(passwordHash ?? (await decoy), password)) && passwordHash !== null),
  };
}
export type Passwords = ReturnType<typeof createPasswords>;

function createGate(running: number, waiting: number) {
  let active = 0;
  const line: (() => void)[] = [];
  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (active >= running) {
      if (line.length >= waiting) throw new HashingBusy('Too many sign-ins at once.');
      await new Promise<void>((resolve) => line.push(resolve)); // the one that leaves hands its place on
    } else active++;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else active--;
    }
  };
}
