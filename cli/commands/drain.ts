import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import type { Context } from '../context.js';
import { notFoundError, usageError } from '../exit.js';
import { secondsOf } from '../job/pairs.js';
import { withJson, type AddCommand } from './command.js';

/** The id of the device or worker that is meant: an id as it is, else the one that has this name or uid. */
async function idOf(client: NodeClient, what: string, signal: AbortSignal): Promise<string> {
  if (/^(dev|wrk)_/.test(what)) return what;
  const [devices, workers] = await Promise.all([client.devices({ signal }), client.workers({ signal })]);
  const found = [
    ...devices.filter(({ name, uid }) => name === what || uid === what),
    ...workers.filter(({ name }) => name === what),
  ];
  if (found.length > 1) throw usageError(`${found.length} are called "${what}": name one by its id.`);
  const [one] = found;
  if (!one) throw notFoundError('device or worker', what);
  return one.id;
}

async function drain(
  context: Context,
  what: string,
  options: { for?: string; reason?: string },
): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const id = await idOf(client, what, signal);
  const forSeconds = options.for === undefined ? null : Math.ceil(secondsOf(options.for, '--for'));
  const { devices } = unwrap(await client.drain({ id, forSeconds, reason: options.reason ?? null }));
  if (output.isJson) return output.document(devices);
  const until = options.for === undefined ? 'until undrained' : `for ${options.for}`;
  await output.lines(
    devices.map(({ name, worker }) =>
      visibleLine(`${name} of ${worker.name} finishes what it runs and takes nothing new, ${until}.`),
    ),
  );
}

async function undrain(context: Context, what: string): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const { devices } = unwrap(await client.undrain(await idOf(client, what, signal)));
  if (output.isJson) return output.document(devices);
  await output.lines(
    devices.map(({ name, worker, health }) => visibleLine(`${name} of ${worker.name} is ${health}.`)),
  );
}

export const addDrain: AddCommand = (program, bind) => {
  const target = '<device or worker>';
  const named = 'id or name; a worker stands for all its devices';
  withJson(program.command('drain'))
    .description('let a device or worker finish what it runs and take nothing new; for an ADMIN')
    .argument(target, named)
    .option('--for <time>', 'it ends by itself after this time (90, 90s, 10m, 2h, 1d)')
    .option('--reason <text>', 'shown to everybody')
    .action(bind(drain));
  withJson(program.command('undrain'))
    .description('let a drained device or worker take jobs again; for an ADMIN')
    .argument(target, named)
    .action(bind(undrain));
};
