import type { GraphQLSchema } from 'graphql';
import { addOperationTimes, type OperationTimes } from './operation-times.js';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { PubSub, SlotQueues } from '../application/ports.js';
import type { Services } from '../application/services.js';
import { addProcessMetrics } from './process-metrics.js';
import { addStoreMetrics } from './store-metrics.js';

/** What the metrics look at. */
export interface MetricSources {
  version: string;
  services: Pick<
    Services,
    'database' | 'hubs' | 'jobList' | 'deviceHub' | 'stale' | 'expired' | 'ended' | 'waiting'
  >;
  pubsub: PubSub & { readonly missed: number; readonly listeners: number };
  queues: Pick<SlotQueues, 'entries'>;
  schema: GraphQLSchema;
  /** Open sockets, those that signed in, and subscriptions on them. */
  sockets: () => { sockets: number; signedIn: number; operations: number };
}

export interface Metrics {
  /** Prometheus' text format, version 0.0.4. Never fails: what can not be read is left out, and `gjm_up` says so. */
  text(): Promise<string>;
  contentType: string;
  operations: OperationTimes;
}

/** Everything this server tells of itself, and of what it stands on. Nothing is read before somebody asks. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addProcessMetrics(registry, sources);
  addStoreMetrics(registry, sources);
  new Gauge({
    name: 'gjm_build_info',
    help: 'Always 1; the label says which version runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: sources.version }, 1);
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    operations: addOperationTimes(registry, sources.schema),
  };
}
