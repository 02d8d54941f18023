import { readFileSync } from 'node:fs';
import type { ServerEnvironment } from './environment.js';
import { createHealth } from './health.js';
import { createLogger } from './logger.js';
import { Releases } from './releases.js';
import { createApplication } from './wiring/create-application.js';
import { openDoors } from './wiring/open-doors.js';
import { openParts } from './wiring/open-parts.js';

/** A server that runs. */
export interface RunningServer {
  /** Where it listens, such as http://127.0.0.1:4000. */
  url: string;
  /** Stops: not ready, sockets 1001, requests drained, connections closed. Idempotent; each step has a limit of 5 s. */
  close(): Promise<void>;
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Starts everything and settles when the server takes requests. When a part does not start, the others are let go again. */
export async function startServer(environment: ServerEnvironment): Promise<RunningServer> {
  const logger = createLogger(environment.logLevel, { version });
  const releases = new Releases(logger);
  let isDraining = false;
  try {
    const parts = await openParts(environment, releases);
    const application = createApplication(environment, parts, logger);
    await application.accounts.bootstrap();
    const health = createHealth({ ...parts, version, isDraining: () => isDraining });
    const stopping = () => void (isDraining = true);
    const url = await openDoors(
      { ...parts, ...application, version, environment, health, logger, stopping },
      releases,
    );
    application.services.start();
    logger.info({ url, registration: environment.registration }, 'the server is ready');
    return { url, close: () => releases.close() };
  } catch (error) {
    await releases.close();
    throw error;
  }
}
