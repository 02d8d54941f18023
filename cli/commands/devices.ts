import type { NodeClient } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import type { Paint } from '../output.js';
import { tableLines, type Column } from '../text/table.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { ageOf, estimateOf } from '@gjm/core/text/times.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { withJson, type AddCommand } from './command.js';

type Device = Awaited<ReturnType<NodeClient['devices']>>[number];
type Worker = Awaited<ReturnType<NodeClient['workers']>>[number];

const memoryOf = ({ memoryBytes, memoryFreeBytes }: Device): string => {
  if (memoryBytes === null) return '–';
  return memoryFreeBytes === null
    ? sizeOf(memoryBytes)
    : `${sizeOf(memoryFreeBytes)} free of ${sizeOf(memoryBytes)}`;
};

/** Who has its slots, for how long and for how long still; `free` where nobody has any. */
const holdersOf = ({ slots }: Device, now: number): string => {
  const taken = slots.flatMap(({ holderName, busySince, etaSeconds }) => {
    if (holderName === null) return [];
    const since = busySince === null ? '' : ageOf(now - Date.parse(busySince));
    const left = etaSeconds === null ? '' : `${estimateOf(etaSeconds)} left`;
    return [[holderName, since, left].filter(Boolean).join(' ')];
  });
  const free = slots.length - taken.length;
  if (taken.length === 0) return 'free';
  return [...taken, ...(free > 0 ? [`${free} free`] : [])].join(', ');
};

/** What its driver says: how busy, how warm, how much power. */
const loadOf = ({ telemetry }: Device): string => {
  if (!telemetry) return '–';
  const { utilisation, temperatureCelsius, powerWatts } = telemetry;
  return [
    utilisation === null ? '' : `${Math.round(utilisation * 100)} %`,
    temperatureCelsius === null ? '' : `${Math.round(temperatureCelsius)} °C`,
    powerWatts === null ? '' : `${Math.round(powerWatts)} W`,
  ]
    .filter(Boolean)
    .join(' ');
};

const columnsOf = (paint: Paint, now: number): Column<Device>[] => [
  { title: 'DEVICE', text: ({ name }) => visibleLine(name), least: 8 },
  { title: 'WORKER', text: ({ worker }) => visibleLine(worker.name), least: 8 },
  { title: 'IN USE BY', text: (device) => visibleLine(holdersOf(device, now)), least: 8 },
  { title: 'KIND', text: ({ kind }) => kind, from: 70 },
  { title: 'ENGINES', text: ({ engines }) => visibleLine(engines.join(', ')), least: 6, from: 60 },
  { title: 'MEMORY', text: memoryOf, least: 6, from: 100 },
  { title: 'LOAD', text: loadOf, from: 120 },
  {
    title: 'HEALTH',
    text: ({ health, healthReason }) => visibleLine([health, healthReason].filter(Boolean).join(': ')),
    paint: (text, { health }) => (health === 'OK' ? paint.green(text) : paint.yellow(text)),
    least: 12,
  },
];

/** One machine: whether it is heard, and for each engine whether it is offered or why not. */
function auditLines(worker: Worker, now: number, paint: Paint): string[] {
  const seen = ageOf(now - Date.parse(worker.lastSeenAt));
  const state = worker.online ? `online, heard ${seen} ago` : paint.yellow(`offline, last heard ${seen} ago`);
  return [
    '',
    `${paint.bold(visibleLine(worker.name))}  ${visibleLine(worker.version)}, ${state}`,
    ...worker.engineAudit.map(({ engine, offered, code, message, version }) => {
      const name = visibleLine([engine, version].filter(Boolean).join(' '));
      return offered
        ? `  ${paint.green('✓')} ${name}`
        : `  ${paint.dim('–')} ${name}  ${visibleLine([code, message].filter(Boolean).join(': '))}`;
    }),
  ];
}

async function devices(context: Context): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const [all, workers] = await Promise.all([client.devices({ signal }), client.workers({ signal })]);
  if (output.isJson) return output.document({ devices: all, workers });
  if (workers.length === 0) return output.hint('No machine has joined yet.');
  const { paint } = output;
  const now = Date.now();
  const table = tableLines(columnsOf(paint, now), all, output.cells(), paint.dim);
  await output.lines([...table, ...workers.flatMap((worker) => auditLines(worker, now, paint))]);
}

export const addDevices: AddCommand = (program, bind) => {
  withJson(program.command('devices'))
    .description(
      'devices, who has them, their health in words, and which engines each machine offers or why not',
    )
    .action(bind(devices));
};
