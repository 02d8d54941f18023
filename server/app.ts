import { readFileSync } from 'node:fs';
import type { HealthReport } from './application/health.js';
import type { Logger } from './application/ports.js';
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
    const warn = () => void (isDraining ? undefined : warnOfFaults(health, logger));
    setTimeout(warn, settledMs).unref();
    logger.info({ url, registration: environment.registration }, 'the server is ready');
    return { url, close: () => releases.close() };
  } catch (error) {
    await releases.close();
    throw error;
  }
}

/** What is not well is told this long after the start, in ms: connections have come about by then. */
const settledMs = 1_000;

/** Says loudly, once, what is not as it should be. */
async function warnOfFaults(health: () => Promise<HealthReport>, logger: Logger): Promise<void> {
  const { checks } = await health();
  for (const { name, message } of checks.filter(({ ok, message }) => !ok || message !== null))
    logger.warn({ check: name }, message ?? 'This check failed.');
}
