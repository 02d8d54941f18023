import { ask, post, type Answer } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

/** What A has: one of everything that an id can name. */
export interface Belongings {
  /** Its own account. */
  user: string;
  /** A job that has succeeded with an artifact, and one that waits for ever. */
  doneJob: string;
  liveJob: string;
  attempt: string;
  artifact: string;
  artifactUrl: string;
  upload: string;
  uploadUrl: string;
  /** Announced, without bytes yet. */
  openUpload: string;
  openUploadUrl: string;
  decision: string;
}

/** Two users of one server; whatever A has is a stranger's to B. */
export interface World {
  url: string;
  a: SignedIn;
  b: SignedIn;
  of: Belongings;
}

const jobFields = `id status decisions { id } attempts { id } artifacts { id url }`;
interface Job {
  id: string;
  status: string;
  decisions: { id: string }[];
  attempts: { id: string }[];
  artifacts: { id: string; url: string }[];
}

const submit = (url: string, token: string, input: object) =>
  ask<{ job: { id: string } }>(
    url,
    'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename ... on SubmitJobSuccess { job { id } } } }',
    { variables: { input: { kind: 'diagnostic', params: {}, ...input } }, token },
  ).then(({ job }) => job?.id ?? '');

const announce = (url: string, token: string) =>
  ask<{ upload: { id: string; url: string } }>(
    url,
    'mutation { createUpload(input: { name: "secret of A" }) { __typename ... on CreateUploadSuccess { upload { id url } } } }',
    { token },
  ).then(({ upload }) => upload!);

/** Makes two users on the shared stack, and everything that A has. */
export async function makeWorld(): Promise<World> {
  const { url } = sharedStack();
  const [a, b] = await Promise.all([
    signUp(url, { name: 'Canary of A' }),
    signUp(url, { name: 'Canary of B' }),
  ]);
  const [done, liveJob, upload, openUpload] = await Promise.all([
    submit(url, a.token, { params: { artifactBytes: 100, logLines: 1 }, name: 'done of A' }),
    submit(url, a.token, { deviceSelector: { worker: 'nobody has this name' }, name: 'live of A' }),
    announce(url, a.token),
    announce(url, a.token),
  ]);
  await fetch(url + upload.url, { method: 'PUT', body: 'bytes of A' });
  const job = await until(
    'the job has ended',
    async () => {
      const answer = await ask<Job>(url, `query ($id: ID!) { job(id: $id) { __typename ${jobFields} } }`, {
        variables: { id: done },
        token: a.token,
      });
      return answer.status === 'SUCCEEDED' ? (answer as Job) : null;
    },
    20_000,
  );
  return { url, a, b, of: belongingsOf(a, liveJob, job, upload, openUpload) };
}

function belongingsOf(
  a: SignedIn,
  liveJob: string,
  job: Job,
  upload: { id: string; url: string },
  openUpload: { id: string; url: string },
): Belongings {
  const [artifact, attempt, decision] = [job.artifacts[0], job.attempts[0], job.decisions[0]];
  if (!artifact || !attempt || !decision) throw new Error(`A has not all of it: ${JSON.stringify(job)}`);
  return {
    user: a.id,
    doneJob: job.id,
    liveJob,
    attempt: attempt.id,
    artifact: artifact.id,
    artifactUrl: artifact.url,
    upload: upload.id,
    uploadUrl: upload.url,
    openUpload: openUpload.id,
    openUploadUrl: openUpload.url,
    decision: decision.id,
  };
}

/** Every id of A's. */
export const idsOf = ({ artifactUrl: _1, uploadUrl: _2, openUploadUrl: _3, ...ids }: Belongings): string[] =>
  Object.values(ids);

/** An id of the same noun that nobody has. */
export const unknownLike = (id: string): string => `${id.slice(0, 4)}0${'7'.repeat(25)}`;

/** Everything A can read of what A has: equal before and after means that nothing was done to it. */
export async function lookAtAll({ url, a, of }: World): Promise<unknown> {
  const { data } = await post(
    url,
    `query ($done: ID!, $live: ID!, $upload: ID!, $open: ID!) {
      done: job(id: $done) { ...All } live: job(id: $live) { ...All }
      upload: node(id: $upload) { ... on Upload { id name bytes sha256 complete } }
      open: node(id: $open) { ... on Upload { id name bytes sha256 complete } }
    } fragment All on Job { id status statusReason cancelRequestedAt lastSequence finishedAt artifacts { id sha256 } }`,
    {
      variables: { done: of.doneJob, live: of.liveJob, upload: of.upload, open: of.openUpload },
      token: a.token,
    },
  );
  return data;
}

/** An answer without what differs between equal answers: request id, and the id that was asked for. */
export function shapeOf({ status, data, errors }: Answer<unknown>, id: string): unknown {
  const text = JSON.stringify({ status, data, errors });
  return JSON.parse(
    text
      .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
      .replaceAll(JSON.stringify(id).slice(1, -1), '<id>'),
  );
}
