import {
  createContext,
  createEffect,
  createSignal,
  useContext,
  type Accessor,
  type ParentProps,
} from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import { createQuery } from '@urql/solid';
import type { DeviceFieldsFragment, WorkerFieldsFragment } from '@gjm/client/generated/graphql.js';
import { FleetDocument, type FleetQuery } from '@gjm/client/generated/graphql.js';
import { everyMs } from './interval.js';
import { createReread } from './reread.js';
import { documentOf } from './urql.js';

export type Device = DeviceFieldsFragment;
export type Worker = WorkerFieldsFragment;
/** A running job that the viewer may see, with the ids of its devices. */
export type Holder = FleetQuery['jobs']['nodes'][number];

export interface Fleet {
  devices: readonly Device[];
  workers: readonly Worker[];
  holders: readonly Holder[];
}

export interface FleetContext {
  fleet: Fleet;
  /** Whether it was read at least once. */
  isKnown: Accessor<boolean>;
  error: Accessor<unknown>;
  reload: () => void;
  /** Takes over one device as it is now. */
  change: (device: Device) => void;
}

/** Between two readings while no page follows the fleet live, in ms. */
const readMs = 10_000;

const Context = createContext<FleetContext>();

export function useFleet(): FleetContext {
  const context = useContext(Context);
  if (!context) throw new Error('There is no fleet around this component.');
  return context;
}

/** The machines, read now and then for the frame; the devices page follows them live in the same store. */
export function FleetProvider(props: ParentProps) {
  const [fleet, setFleet] = createStore<Fleet>({ devices: [], workers: [], holders: [] });
  const [isKnown, setKnown] = createSignal(false);
  const [answer, reread] = createQuery({ query: documentOf(FleetDocument) });
  const reload = (): void => reread({ requestPolicy: 'network-only' });
  createEffect(() => {
    const { data } = answer;
    if (answer.fetching || !data || answer.error) return;
    const { devices, workers, jobs } = structuredClone(unwrap(data));
    setFleet('devices', reconcile([...devices].sort(byPlace), { key: 'id' }));
    setFleet('workers', reconcile([...workers].sort(byName), { key: 'id' }));
    setFleet('holders', reconcile(jobs.nodes, { key: 'id' }));
    setKnown(true);
  });
  everyMs(readMs, reload);
  createReread(reload, () => answer.error);
  const change = (device: Device): void => {
    const others = unwrap(fleet.devices).filter(({ id }) => id !== device.id);
    setFleet('devices', reconcile([...others, device].sort(byPlace), { key: 'id' }));
  };
  const context = { fleet, isKnown, error: () => answer.error ?? null, reload, change };
  return <Context.Provider value={context}>{props.children}</Context.Provider>;
}

const byName = (a: { name: string }, b: { name: string }): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true });
const byPlace = (a: Device, b: Device): number => byName(a.worker, b.worker) || byName(a, b);
