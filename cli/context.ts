import type { NodeClient } from '@gjm/client/node.js';
import type { Environment } from './environment.js';
import type { Output } from './output.js';
import { openClient, type Connection } from './session/open-client.js';

/** What every command gets. */
export interface Context {
  environment: Environment;
  output: Output;
  /** Aborted with {@link Interrupted} by Ctrl-C. */
  signal: AbortSignal;
  /** A client of the server that was found; opened once, closed when the command is over. */
  connect(): Promise<Connection>;
  client(): Promise<NodeClient>;
  close(): void;
}

export function makeContext(environment: Environment, output: Output, signal: AbortSignal): Context {
  let connection: Promise<Connection> | undefined;
  const connect = (): Promise<Connection> =>
    (connection ??= openClient(environment, (sentence) => output.note(sentence)));
  return {
    environment,
    output,
    signal,
    connect,
    client: async () => (await connect()).client,
    close: () => void connection?.then(({ client }) => client.close()).catch(() => undefined),
  };
}
