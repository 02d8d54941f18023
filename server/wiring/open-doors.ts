import type { HealthReport } from '../application/health.js';
import type { ArtifactStore, Logger } from '../application/ports.js';
import { buildApiSchema } from '../api/build-schema.js';
import { createListener } from '../api/create-listener.js';
import { createFileRouter } from '../api/files/file-router.js';
import { createClients } from '../api/proxies.js';
import { createGraphqlHttp } from '../api/http.js';
import { createMetricsRoute } from '../api/metrics-route.js';
import { attachSockets, createGraphqlSockets, type GraphqlSockets } from '../api/websocket.js';
import type { ServerEnvironment } from '../environment.js';
import { createLimitedServer, drain, listen } from '../listen.js';
import { createMetrics, type MetricSources } from '../metrics/metrics.js';
import type { Releases } from '../releases.js';
import { createWorkerRouter } from '../worker-api/router.js';
import type { Application } from './create-application.js';

interface DoorDeps extends Application {
  environment: ServerEnvironment;
  store: ArtifactStore;
  pubsub: MetricSources['pubsub'];
  version: string;
  health: () => Promise<HealthReport>;
  logger: Logger;
  /** Told when the server begins to stop. */
  stopping: () => void;
}

/** Opens HTTP and WebSocket; settles with the address. */
export async function openDoors(deps: DoorDeps, releases: Releases): Promise<string> {
  const { environment, accounts, files, services, health, logger } = deps;
  const schema = await buildApiSchema();
  const base = { services, accounts, files, health };
  const clients = createClients(environment.isProxy);
  const api = { schema, base, clients, logger };
  const sockets = createGraphqlSockets(api);
  const metrics = createMetrics({ ...deps, schema, sockets: () => sockets.use() });
  const { isLoopback } = environment;
  const graphql = await createGraphqlHttp({ ...api, isLoopback, times: metrics.operations });
  releases.add('graphql', () => graphql.stop());
  const doors = [
    createWorkerRouter({ ...base, store: deps.store, logger }),
    createFileRouter({ ...base, logger }),
  ];
  const metricsRoute = createMetricsRoute(metrics, accounts);
  const { webDir } = environment;
  const server = createLimitedServer(
    createListener({ doors, graphql, health, metrics: metricsRoute, webDir, logger }),
  );
  attachSockets(server, sockets);
  const stopped = new Promise<void>((resolve) => server.once('close', resolve));
  const url = await listen(server, environment.host, environment.port);
  // Let go in reverse: no new connections, sockets away, long polls answered, then what is under way may end.
  releases.add('requests', () => drain(server, stopped));
  releases.add('services', () => services.close());
  releases.add('sockets', () => sockets.close());
  releases.add('listener', () => {
    deps.stopping();
    server.close();
  });
  followSessions(deps, sockets);
  return url;
}

/** A session that ended on any server is forgotten, and its sockets are closed, at once; without Redis within two seconds. */
function followSessions({ pubsub, accounts }: DoorDeps, sockets: GraphqlSockets): void {
  pubsub
    .subscribe('session', '', ({ sessionId }) => {
      accounts.forgetSession(sessionId);
      sockets.closeSession(sessionId);
    })
    .catch(() => undefined); // the watch of open sockets looks by itself
}
