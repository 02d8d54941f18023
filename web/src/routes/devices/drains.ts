import { createSignal } from 'solid-js';
import { isSuccess, unwrap } from '@gjm/client/index.js';
import type { DrainInput } from '@gjm/client/generated/graphql.js';
import { useFleet, type Device } from '../../lib/fleet.js';
import { useSession, type Refused } from '../../lib/session.js';
import { toast } from '../../lib/toasts.js';

/** What is to be drained: one device, or a machine with all it has. */
export interface DrainTarget {
  id: string;
  name: string;
  /** How many devices stop taking jobs; null for one device by itself. */
  devices: number | null;
}

/** What an ADMIN may do about devices. */
export interface DrainActs {
  /** Opens the question for how long and why. */
  ask: (target: DrainTarget) => void;
  /** Lets it take jobs again at once. */
  undrain: (target: Pick<DrainTarget, 'id' | 'name'>) => void;
}

/** Drains and their ends; the page shows at once what the server says of the devices after. */
export function createDrains() {
  const { client } = useSession();
  const { change, reload } = useFleet();
  const [target, setTarget] = createSignal<DrainTarget | null>(null);
  const take = (devices: readonly Device[]): void => {
    devices.forEach(change);
    reload();
  };
  const acts: DrainActs = {
    ask: setTarget,
    undrain: ({ id, name }) => {
      const undrain = async (): Promise<void> => take(unwrap(await client.undrain(id)).devices);
      undrain().catch((error: unknown) => toast('bad', `${name} stays drained`, (error as Error).message));
    },
  };
  return {
    target,
    acts,
    close: () => setTarget(null),
    drain: async (input: DrainInput): Promise<Refused | null> => {
      try {
        const answer = await client.drain(input);
        if (!isSuccess(answer))
          return { message: answer.message, fields: 'fields' in answer ? answer.fields : [] };
        take(answer.devices);
        setTarget(null);
        return null;
      } catch (error) {
        return { message: (error as Error).message, fields: [] };
      }
    },
  };
}
