import { failureCodes } from '@gjm/core/job/failure.js';
import { attemptOutcomes } from '@gjm/core/job/status.js';
import type { Registry } from 'prom-client';
import type { MetricSources } from './metrics.js';
import { addCounter, addGauge, listed } from './registry.js';

/** What this process holds and has counted: read from memory. The gauges are back at their start when nobody uses the server. */
export function addProcessMetrics(registry: Registry, sources: MetricSources): void {
  addConnectionGauges(registry, sources);
  addWatchMetrics(registry, sources);
  const { services, pubsub } = sources;
  addCounter(registry, {
    name: 'gjm_stale_writes_total',
    help: 'Writes of workers that were refused because their attempt is over.',
    read: () => services.stale.refused,
  });
  addCounter(registry, {
    name: 'gjm_attempts_expired_total',
    help: 'Attempts this server ended because a deadline had passed, by deadline.',
    label: 'deadline',
    read: () => services.expired,
  });
  addCounter(registry, {
    name: 'gjm_attempts_ended_total',
    help: 'Attempts whose end this server recorded, by outcome.',
    label: 'outcome',
    read: () => listed(attemptOutcomes, services.ended.outcomes),
  });
  addCounter(registry, {
    name: 'gjm_attempts_failed_total',
    help: 'Of those, the ones that ended by a failure, by its code.',
    label: 'cause',
    read: () => listed(failureCodes, services.ended.causes),
  });
  addCounter(registry, {
    name: 'gjm_wake_ups_missed_total',
    help: 'Wake-ups that Redis did not take; readers make up for them by looking.',
    read: () => pubsub.missed,
  });
}

function addConnectionGauges(registry: Registry, { services, pubsub, sockets }: MetricSources): void {
  addGauge(registry, {
    name: 'gjm_sockets',
    help: 'Open WebSockets: all of them, and those that signed in.',
    label: 'kind',
    read: () => ({ open: sockets().sockets, signed_in: sockets().signedIn }),
  });
  addGauge(registry, {
    name: 'gjm_operations',
    help: 'Subscriptions begun on sockets and not ended.',
    read: () => sockets().operations,
  });
  addGauge(registry, {
    name: 'gjm_redis_listeners',
    help: 'Subscriptions of this process to Redis channels.',
    read: () => pubsub.listeners,
  });
  addGauge(registry, {
    name: 'gjm_database_connections',
    help: 'Connections of the pool to Postgres.',
    label: 'state',
    read: () => {
      const { total, idle } = services.database.poolUse();
      return { in_use: total - idle, idle };
    },
  });
  addGauge(registry, {
    name: 'gjm_database_requests_waiting',
    help: 'Requests that wait for a connection of the pool.',
    read: () => services.database.poolUse().waiting,
  });
}

function addWatchMetrics(registry: Registry, { services }: MetricSources): void {
  addGauge(registry, {
    name: 'gjm_watch_hubs',
    help: 'Jobs that somebody watches through this server.',
    read: () => services.hubs.use.hubs,
  });
  addGauge(registry, {
    name: 'gjm_watchers',
    help: 'Watchers, by what they watch: one job, a list of jobs, the devices.',
    label: 'of',
    read: () => ({
      job: services.hubs.use.watchers,
      jobs: services.jobList.watchers,
      devices: services.deviceHub.watchers,
    }),
  });
  addGauge(registry, {
    name: 'gjm_watchers_behind',
    help: 'Watchers of jobs that read pages of their own: they replay, or fell out of the ring.',
    read: () => services.hubs.use.behind,
  });
  addCounter(registry, {
    name: 'gjm_watch_pages_read_total',
    help: 'Pages of events read for single watchers.',
    read: () => services.hubs.pagesRead,
  });
}
