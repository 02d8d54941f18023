import { basename, extname, join } from 'node:path';
import { type JobEvent, type NodeClient, unwrap } from '@gjm/client/node.js';
import { makeProgressView } from './demo-progress.js';
import { readPngSize } from './demo-picture.js';
import { StackProblem } from './problem.js';

/** What the demo made. */
export interface DemoResult {
  /** Absolute path of the picture. */
  path: string;
  width: number;
  height: number;
  /** From the submit to the last event. */
  elapsedMs: number;
  /** What computed it, such as `wasm`. */
  engine: string | null;
}

const SCALE = 2;

/**
 * Enlarges one picture through the API as any user would: upload, submit, watch, download. Fails with one
 * sentence when the picture is refused or the job does not succeed. A stop ends the watch and cancels the job.
 */
export async function enlargePicture(
  client: NodeClient,
  picture: string,
  resultFolder: string,
  stop: AbortSignal,
): Promise<DemoResult> {
  const name = basename(picture, extname(picture));
  const upload = await client.uploadFile(picture, { signal: stop });
  const params = { image: upload.id, scale: SCALE };
  const startedAt = performance.now();
  const { job } = unwrap(
    await client.submit({ kind: 'image.upscale', params, name: `Enlarge ${name}`.slice(0, 100) }),
  );
  await watchToEnd(client, job.id, stop);
  const elapsedMs = performance.now() - startedAt;
  const ended = await client.job(job.id);
  const artifact = ended?.artifacts.find((one) => one.role === 'RESULT');
  if (artifact === undefined) throw new StackProblem('The job succeeded and left no picture.');
  const path = join(resultFolder, `${name}-${SCALE}x.png`);
  await client.downloadArtifact(artifact, path, { signal: stop });
  return { path, ...(await readPngSize(path)), elapsedMs, engine: ended?.engine ?? null };
}

async function watchToEnd(client: NodeClient, jobId: string, stop: AbortSignal): Promise<void> {
  const view = makeProgressView(process.stdout);
  let last: JobEvent | undefined;
  try {
    for await (const event of client.watch(jobId, { after: 0, signal: stop })) {
      view.show(event);
      if (event.__typename === 'JobStatusEvent') last = event;
    }
  } catch (error) {
    if (stop.aborted) await client.cancel(jobId, 'The demo was stopped.').catch(() => undefined);
    throw error;
  } finally {
    view.end();
  }
  if (last?.__typename !== 'JobStatusEvent' || last.status === 'SUCCEEDED') return;
  const words = last.failure?.message ?? last.reason ?? 'no reason was given';
  throw new StackProblem(`The picture could not be enlarged: ${words}`);
}
