import { SubmitJobDocument, type SubmitJobInput, type SubmitJobMutation } from './generated/graphql.js';
import type { Request, RequestOptions } from './request.js';

/** A submit carries its own id, so sending it again after a lost answer finds the first job; about 20 s of tries. */
const submitTries = 8;

/** 128 random bits. `randomUUID` would not do: browsers hide it on plain http. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Submits once, however often it has to be sent: all tries carry the same `clientRequestId`, the caller's or a new one. */
export async function submitJob(
  request: Request,
  input: SubmitJobInput,
  options: RequestOptions,
): Promise<SubmitJobMutation['submitJob']> {
  const named = { ...input, clientRequestId: input.clientRequestId ?? newRequestId() };
  return (await request(SubmitJobDocument, { input: named }, { tries: submitTries, ...options })).submitJob;
}
