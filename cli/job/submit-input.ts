import { readFile, stat } from 'node:fs/promises';
import type { SubmitJobInput } from '@gjm/client/index.js';
import type { NodeClient } from '@gjm/client/node.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { deviceSelectorOf } from './device-selector.js';
import { pairOf, secondsOf, wholeNumberOf } from './pairs.js';
import { isFileList, typedParam, type ParamSchema, type ParamsSchema } from './params.js';

/** What `gjm submit` was told, as text. */
export interface SubmitOptions {
  param?: string[];
  paramsJson?: string;
  file?: string[];
  name?: string;
  label?: string[];
  priority?: string;
  timeout?: string;
  maxAttempts?: string;
  device?: string[];
  devices?: string;
  tier?: string;
  requestId?: string;
}

type JsonObject = Record<string, unknown>;

async function readInput(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin) text += String(piece);
  return text;
}

/** `--params-json` takes the object itself, `@file`, or `-` for stdin. */
async function baseParams(given: string | undefined): Promise<JsonObject> {
  if (given === undefined) return {};
  const text =
    given === '-'
      ? await readInput()
      : given.startsWith('@')
        ? await readFile(given.slice(1), 'utf8')
        : given;
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Told below, as any text that is no object.
  }
  throw usageError('--params-json takes one JSON object.');
}

async function schemaOf(client: NodeClient, kind: string, signal: AbortSignal): Promise<ParamsSchema> {
  const kinds = await client.jobKinds({ signal });
  const found = kinds.find(({ name }) => name === kind);
  if (found) return found.paramsSchema;
  const known = kinds.map(({ name }) => name).join(', ');
  const message = `There is no kind "${kind}". There are: ${known}.`;
  throw new CommandError(exitCodes.usage, 'UNKNOWN_KIND', message, [{ path: ['kind'], message }]);
}

/** Sends the files and gives their ids by field, a list's in the order they were named. All must be there before the first is sent. */
async function uploadAll(
  client: NodeClient,
  files: readonly [field: string, path: string][],
  properties: Record<string, ParamSchema>,
  signal: AbortSignal,
): Promise<Record<string, string | string[]>> {
  for (const [field, path] of files) {
    const message = await stat(path).then(
      (there) => (there.isFile() ? null : 'is not a file'),
      () => 'can not be read',
    );
    if (message) throw usageError('', [{ path: ['params', field], message: `${path} ${message}.` }]);
  }
  const ids: Record<string, string | string[]> = {};
  for (const [field, path] of files) {
    const { id } = await client.uploadFile(path, { signal });
    ids[field] = isFileList(properties[field] ?? {}) ? [...(ids[field] ?? []), id] : id;
  }
  return ids;
}

async function paramsOf(
  client: NodeClient,
  kind: string,
  options: SubmitOptions,
  signal: AbortSignal,
): Promise<JsonObject> {
  const files = (options.file ?? []).map((pair) => pairOf(pair, '--file'));
  const given = (options.param ?? []).map((pair) => pairOf(pair, '--param'));
  const base = await baseParams(options.paramsJson);
  const { properties = {} } = await schemaOf(client, kind, signal);
  const typed = given.map(([key, text]) => [key, typedParam(properties[key], text)] as const);
  return { ...base, ...Object.fromEntries(typed), ...(await uploadAll(client, files, properties, signal)) };
}

/** The input of a submit; uploads its files first. */
export async function submitInputOf(
  client: NodeClient,
  kind: string,
  options: SubmitOptions,
  signal: AbortSignal,
): Promise<SubmitJobInput> {
  const { priority, timeout, maxAttempts, devices } = options;
  const input: SubmitJobInput = { kind, params: {} };
  if (options.name !== undefined) input.name = options.name;
  if (options.requestId !== undefined) input.clientRequestId = options.requestId;
  if (options.label) input.labels = Object.fromEntries(options.label.map((pair) => pairOf(pair, '--label')));
  if (priority !== undefined) input.priority = wholeNumberOf(priority, '--priority', 0);
  if (maxAttempts !== undefined) input.maxAttempts = wholeNumberOf(maxAttempts, '--max-attempts', 1);
  if (devices !== undefined) input.devices = wholeNumberOf(devices, '--devices', 1);
  if (timeout !== undefined) input.timeoutSeconds = Math.ceil(secondsOf(timeout, '--timeout'));
  if (options.tier !== undefined) input.tier = options.tier;
  const selector = deviceSelectorOf(options.device ?? []);
  if (selector) input.deviceSelector = selector;
  input.params = await paramsOf(client, kind, options, signal);
  return input;
}
