/**
 * Ids are TypeIDs: a prefix that names the noun, then 26 base32 digits of a UUIDv7 (https://github.com/jetify-com/typeid/tree/main/spec).
 * They sort by creation time within one noun. Only the server makes them; everybody parses them at the edge.
 */
export const idPrefix = {
  job: 'job',
  attempt: 'att',
  artifact: 'art',
  upload: 'upl',
  user: 'usr',
  session: 'ses',
  worker: 'wrk',
  device: 'dev',
  decision: 'dec',
} as const;

export type IdNoun = keyof typeof idPrefix;

/** A checked id of one noun. A plain string is not one: it must pass {@link parseId}. */
export type Id<Noun extends IdNoun> = string & { readonly __noun: Noun };
export type JobId = Id<'job'>;
export type AttemptId = Id<'attempt'>;
export type ArtifactId = Id<'artifact'>;
export type UploadId = Id<'upload'>;
export type UserId = Id<'user'>;
export type WorkerId = Id<'worker'>;
export type DeviceId = Id<'device'>;
/** What a `format: gjm-file` parameter holds. */
export type FileId = UploadId | ArtifactId;

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The id when `text` is well formed and of that noun, else null. Never throws, whatever it is given. */
export function parseId<Noun extends IdNoun>(noun: Noun, text: unknown): Id<Noun> | null {
  if (typeof text !== 'string') return null;
  const prefix = `${idPrefix[noun]}_`;
  return text.startsWith(prefix) && suffix.test(text.slice(prefix.length)) ? (text as Id<Noun>) : null;
}

/** The noun that an id names, or null when `text` is no id at all. */
export function nounOf(text: unknown): IdNoun | null {
  for (const noun of Object.keys(idPrefix) as IdNoun[]) if (parseId(noun, text)) return noun;
  return null;
}

/** An upload's or an artifact's id, else null. */
export function parseFileId(text: unknown): FileId | null {
  return parseId('upload', text) ?? parseId('artifact', text);
}
