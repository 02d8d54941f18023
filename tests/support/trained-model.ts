import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { watchToEnd } from './user.js';

type Artifact = NonNullable<Awaited<ReturnType<NodeClient['job']>>>['artifacts'][number];

const rows = Array.from({ length: 40 }, (_, row) => [row, (row * 7) % 5]);
const table = [
  'size,age,kind',
  ...rows.map(([size, age]) => `${size},${age},${size! < 20 ? 'small' : 'large'}`),
];

/** Uploads a text under a name and gives its id. */
export const uploadText = async (client: NodeClient, name: string, text: string): Promise<string> =>
  (await client.upload({ name, source: Buffer.from(text), bytes: Buffer.byteLength(text) })).id;

/** Runs a job to its end and gives its artifacts by name; fails unless the job succeeded. */
export async function artifactsOf(
  client: NodeClient,
  kind: string,
  params: Record<string, unknown>,
): Promise<Record<string, Artifact>> {
  const { job } = unwrap(await client.submit({ kind, params }));
  await watchToEnd(client, job.id);
  const ended = await client.job(job.id);
  if (ended?.status !== 'SUCCEEDED')
    throw new Error(`The job ended ${ended?.status}: ${ended?.failure?.message}`);
  return Object.fromEntries(ended.artifacts.map((artifact) => [artifact.name, artifact]));
}

/** The model.zip of a short training that tells "small" from "large" by the numbers "size" and "age". */
export async function trainedModel(client: NodeClient): Promise<Artifact> {
  const data = await uploadText(client, 'table.csv', table.join('\n'));
  const artifacts = await artifactsOf(client, 'model.train', { data, model: 'mlp', epochs: 1 });
  return artifacts['model.zip']!;
}
