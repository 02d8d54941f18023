/** The SDK: runs in browsers and in Node. `node.ts` adds what needs a file system. */
export { createClient, type Client, type ClientOptions } from './client.js';
export {
  ApiError,
  ClosedError,
  ProblemError,
  SequenceGapError,
  TransferError,
  UnreachableError,
  type ApiErrorCode,
  type FieldProblem,
} from './errors.js';
export { rerunInput } from './rerun.js';
export { isSuccess, unwrap, type SuccessOf } from './result.js';
export { exactOf, numberOf, type WireBigInt } from './big-int.js';
export { isTerminalEvent, type JobEvent, type WatchOptions } from './watch-job.js';
export type { Change, ChangesOptions } from './watch-changes.js';
export type { ConnectionState } from './live-link.js';
export type { DownloadOptions } from './download.js';
export type { Artifact, StoredFile } from './stored-file.js';
export type { Upload, UploadInput, UploadSource } from './upload.js';
export type { JobEventPage, JobPage, JobQuery } from './pages.js';
export type { RequestOptions } from './request.js';
export type { Tokens } from './session.js';
export type {
  JobDetailsFragment as JobDetails,
  JobFilter,
  JobRowFragment as JobRow,
  JobStatus,
  SubmitJobInput,
  UpdateUserInput,
  UserAccountFieldsFragment as UserAccount,
} from './generated/graphql.js';
