import { downloadBytes, streamOf, type DownloadOptions } from './download.js';
import { authorizedFetch } from './authorized-fetch.js';
import { ClosedError } from './errors.js';
import * as operations from './generated/graphql.js';
import type { Fetch } from './http.js';
import { LiveLink, type ConnectionState, type LiveLinkOptions } from './live-link.js';
import {
  everyJob,
  readJobEvents,
  readJobs,
  type JobEventPage,
  type JobPage,
  type JobQuery,
} from './pages.js';
import { makeRequest, type Request, type RequestOptions } from './request.js';
import { Rests } from './rests.js';
import { Session, type SessionOptions } from './session.js';
import type { Digest } from './sha256.js';
import { readStoredFile, type StoredFile } from './stored-file.js';
import { makeSignIn, type SignIn } from './sign-in.js';
import { submitJob } from './submit.js';
import { makeUsers, type Users } from './users.js';
import { uploadFrom, type TransferContext, type Upload, type UploadInput } from './upload.js';
import { watchChanges, type Change, type ChangesOptions } from './watch-changes.js';
import { JobWatch, type JobEvent, type WatchOptions } from './watch-job.js';

export interface ClientOptions extends SessionOptions {
  /** Where the server is, such as `http://127.0.0.1:4000`; a path is ignored. */
  url: string;
  fetch?: Fetch;
  /** Needed where the runtime has no WebSocket (Node 20); `node.ts` brings one. */
  webSocketImpl?: unknown;
  /** Whether what subscriptions show is current. */
  onConnection?: (state: ConnectionState) => void;
  /** How long a file transfer may stand still, in ms, before it is resumed over a new connection; 30 000. */
  silentMs?: number;
  /** Deadlines of the live connection, for tests and odd networks. */
  live?: Pick<LiveLinkOptions, 'pingMs' | 'pongMs' | 'connectMs' | 'lingerMs'>;
}

type JobDetails = operations.JobDetailsFragment;
type JobRow = operations.JobRowFragment;

/** Every door of the API. Mutations return their result union as data: `unwrap` turns a refusal into a ProblemError. */
export interface Client extends SignIn, Users {
  /** The server's origin. */
  readonly url: string;
  /** `fetch` with this session's token, for GraphQL libraries that send requests themselves. */
  readonly fetch: Fetch;
  readonly request: Request;
  /** null when not signed in. */
  viewer(options?: RequestOptions): Promise<operations.ViewerQuery['viewer']>;
  /** Sends a file and returns its record; its id is what `params` take. Throws ProblemError and TransferError. */
  upload(input: UploadInput): Promise<Upload>;
  submit(
    input: operations.SubmitJobInput,
    options?: RequestOptions,
  ): Promise<operations.SubmitJobMutation['submitJob']>;
  /** null for an unknown, foreign or malformed id. */
  job(id: string, options?: RequestOptions): Promise<JobDetails | null>;
  jobs(query?: JobQuery, options?: RequestOptions): Promise<JobPage>;
  eachJob(query?: JobQuery, options?: RequestOptions): AsyncGenerator<JobRow, void, void>;
  /** Up to 400 events after that number, for reading back; {@link Client.watch} is for following. null for an unknown job. */
  jobEvents(jobId: string, after?: number, options?: RequestOptions): Promise<JobEventPage | null>;
  /** Every event of a job, once and in order; see {@link JobWatch}. */
  watch(jobId: string, options?: WatchOptions): AsyncGenerator<JobEvent, void, void>;
  watchJobs(
    filter?: operations.JobFilter | null,
    options?: ChangesOptions,
  ): AsyncGenerator<Change<operations.JobsChangedSubscription['jobsChanged']>, void, void>;
  watchDevices(options?: ChangesOptions): AsyncGenerator<Change<operations.DeviceFieldsFragment>, void, void>;
  cancel(id: string, reason?: string | null): Promise<operations.CancelJobMutation['cancelJob']>;
  deleteJob(id: string): Promise<operations.DeleteJobMutation['deleteJob']>;
  /** An artifact or a complete upload by its id; null when there is none for this viewer. */
  file(id: string, options?: RequestOptions): Promise<StoredFile | null>;
  /** The bytes of an artifact or a complete upload, resumed by range; the stream errors unless size and SHA-256 are right at its end. */
  fetchArtifact(artifact: StoredFile, options?: DownloadOptions): ReadableStream<Uint8Array>;
  jobKinds(options?: RequestOptions): Promise<operations.JobKindsQuery['jobKinds']>;
  devices(options?: RequestOptions): Promise<operations.DevicesQuery['devices']>;
  workers(options?: RequestOptions): Promise<operations.WorkersQuery['workers']>;
  health(options?: RequestOptions): Promise<operations.HealthQuery['health']>;
  /** Whether one can make an account; needs no sign-in. */
  registration(options?: RequestOptions): Promise<operations.RegistrationQuery['registration']>;
  createInvite(
    input?: operations.CreateInviteInput,
  ): Promise<operations.CreateInviteMutation['createInvite']>;
  createWorkerToken(name: string): Promise<operations.CreateWorkerTokenMutation['createWorkerToken']>;
  /** For an ADMIN: a device, or all of a worker's, takes nothing new; what runs goes on. */
  drain(input: operations.DrainInput): Promise<operations.DrainMutation['drain']>;
  /** For an ADMIN: ends a drain. */
  undrain(id: string): Promise<operations.UndrainMutation['undrain']>;
  /** Watches that rest before their next try to connect, try now. */
  hurry(): void;
  /** Ends requests, transfers and watches with a ClosedError. Idempotent. */
  close(): void;
}

/** What {@link createClient} is made of; `node.ts` builds its file transfers on it. */
export interface ClientParts {
  client: Client;
  transfers: TransferContext;
  /** Artifact bytes with a digest of the caller's choice. */
  download: (
    artifact: StoredFile,
    digest: Digest,
    options?: DownloadOptions,
  ) => AsyncGenerator<Uint8Array, void, void>;
}

/** Questions with one answer. */
function makeQueries(request: Request, session: Session) {
  return {
    // Asked with a token that ran out, the server says "nobody" and refuses nothing: a session that can be renewed is somebody.
    viewer: async (options?: RequestOptions) => {
      const used = session.accessToken;
      const { viewer } = await request(operations.ViewerDocument, {}, options);
      if (viewer !== null || used === undefined || !(await session.renew(used))) return viewer;
      return (await request(operations.ViewerDocument, {}, options)).viewer;
    },
    job: async (id: string, options?: RequestOptions) =>
      (await request(operations.JobDocument, { id }, options)).job,
    jobKinds: async (options?: RequestOptions) =>
      (await request(operations.JobKindsDocument, {}, options)).jobKinds,
    devices: async (options?: RequestOptions) =>
      (await request(operations.DevicesDocument, {}, options)).devices,
    workers: async (options?: RequestOptions) =>
      (await request(operations.WorkersDocument, {}, options)).workers,
    health: async (options?: RequestOptions) =>
      (await request(operations.HealthDocument, {}, options)).health,
    registration: async (options?: RequestOptions) =>
      (await request(operations.RegistrationDocument, {}, options)).registration,
  };
}

/** Acts that are sent once: a lost answer is for the caller to look into. */
function makeActs(request: Request) {
  return {
    cancel: async (id: string, reason?: string | null) =>
      (await request(operations.CancelJobDocument, { input: { id, reason: reason ?? null } })).cancelJob,
    deleteJob: async (id: string) =>
      (await request(operations.DeleteJobDocument, { input: { id } })).deleteJob,
    createInvite: async (input: operations.CreateInviteInput = {}) =>
      (await request(operations.CreateInviteDocument, { input })).createInvite,
    createWorkerToken: async (name: string) =>
      (await request(operations.CreateWorkerTokenDocument, { input: { name } })).createWorkerToken,
    drain: async (input: operations.DrainInput) => (await request(operations.DrainDocument, { input })).drain,
    undrain: async (id: string) => (await request(operations.UndrainDocument, { id })).undrain,
  };
}

export function createParts(options: ClientOptions): ClientParts {
  const origin = new URL(options.url).origin;
  const url = `${origin}/graphql`;
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const closing = new AbortController();
  const closed = closing.signal;
  const session = new Session(fetch, url, closed, options);
  const request = makeRequest(fetch, url, session, closed);
  const link = new LiveLink({ url, session, webSocketImpl: options.webSocketImpl, ...options.live });
  if (options.onConnection) link.onState(options.onConnection);
  const rests = new Rests();
  const live = { link, request, session, closed, rests };
  const transfers: TransferContext = { fetch, origin, request, closed, silentMs: options.silentMs ?? 30_000 };
  const client: Client = {
    url: origin,
    fetch: authorizedFetch(fetch, session),
    request,
    ...makeSignIn(fetch, url, session, request, closed),
    ...makeQueries(request, session),
    ...makeActs(request),
    ...makeUsers(request),
    upload: (input) => uploadFrom(transfers, input),
    submit: (input, requestOptions = {}) => submitJob(request, input, requestOptions),
    jobs: (query = {}, requestOptions = {}) => readJobs(request, query, requestOptions),
    eachJob: (query = {}, requestOptions = {}) => everyJob(request, query, requestOptions),
    jobEvents: (jobId, after = 0, requestOptions = {}) =>
      readJobEvents(request, { jobId, after }, requestOptions),
    watch: (jobId, watchOptions) => new JobWatch(live, jobId, watchOptions).events(),
    watchJobs: (filter, changes) =>
      watchChanges(
        live,
        operations.JobsChangedDocument,
        { filter: filter ?? null },
        (data) => data.jobsChanged,
        changes,
      ),
    watchDevices: (changes) =>
      watchChanges(live, operations.DevicesChangedDocument, {}, (data) => data.devicesChanged, changes),
    file: (id, requestOptions) => readStoredFile(request, id, requestOptions),
    fetchArtifact: (artifact, downloadOptions) =>
      streamOf(downloadBytes(transfers, artifact, undefined, downloadOptions)),
    hurry: () => rests.hurry(),
    close: () => {
      if (closed.aborted) return;
      closing.abort(new ClosedError());
      link.close();
    },
  };
  return {
    client,
    transfers,
    download: (artifact, digest, downloadOptions) =>
      downloadBytes(transfers, artifact, digest, downloadOptions),
  };
}

/** A client of one server. It opens nothing until it is used; `close()` releases what it opened. */
export const createClient = (options: ClientOptions): Client => createParts(options).client;
