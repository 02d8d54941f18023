import { resolve } from 'node:path';
import { z } from 'zod';

/** Where in a bucket the store lives. */
export interface S3Place {
  bucket: string;
  /** Empty, or ends in a slash. */
  prefix: string;
}

/** A bucket and how to reach it. */
export interface S3Settings extends S3Place {
  kind: 's3';
  /** Null: Amazon's own, by region. */
  endpoint: string | null;
  region: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  pathStyle: boolean;
  /** Null: what the surroundings give, such as the role of a machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/** Where files are kept. */
export type ArtifactSettings = { kind: 'folder'; folder: string } | S3Settings;

/** The variables, as the environment's schema takes them. */
export const artifactVariables = {
  GJM_ARTIFACT_STORE: z.enum(['folder', 's3']).default('folder'),
  GJM_ARTIFACT_DIR: z.string().optional(),
  GJM_S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional(),
  GJM_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  GJM_S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must look like eu-central-1')
    .default('us-east-1'),
  GJM_S3_PREFIX: z
    .string()
    .regex(/^[\w-]+(\/[\w-]+)*\/?$/, 'takes letters, digits, _ and -, in segments between slashes')
    .optional(),
  GJM_S3_PATH_STYLE: z.enum(['0', '1']).optional(),
  GJM_S3_ACCESS_KEY_ID: z.string().optional(),
  GJM_S3_SECRET_ACCESS_KEY: z.string().optional(),
};
type Variables = z.output<z.ZodObject<typeof artifactVariables>>;

/** Describes the store; throws with one plain sentence when the variables do not fit each other. `dataDir` is where a folder lies by default. */
export function describeArtifacts(env: Variables, dataDir: string): ArtifactSettings {
  if (env.GJM_ARTIFACT_STORE === 'folder')
    return { kind: 'folder', folder: resolve(env.GJM_ARTIFACT_DIR ?? resolve(dataDir, 'artifacts')) };
  const { GJM_S3_BUCKET: bucket, GJM_S3_ENDPOINT: endpoint = null, GJM_S3_PATH_STYLE: style } = env;
  if (bucket === undefined) throw new Error('GJM_S3_BUCKET: is required when GJM_ARTIFACT_STORE is s3');
  return {
    kind: 's3',
    bucket,
    endpoint,
    prefix: env.GJM_S3_PREFIX === undefined ? '' : `${env.GJM_S3_PREFIX.replace(/\/$/, '')}/`,
    region: env.GJM_S3_REGION,
    pathStyle: style === undefined ? endpoint !== null : style === '1',
    credentials: credentialsOf(env.GJM_S3_ACCESS_KEY_ID, env.GJM_S3_SECRET_ACCESS_KEY),
  };
}

function credentialsOf(accessKeyId?: string, secretAccessKey?: string): S3Settings['credentials'] {
  if (accessKeyId === undefined && secretAccessKey === undefined) return null;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(
      'GJM_S3_ACCESS_KEY_ID, GJM_S3_SECRET_ACCESS_KEY: give both, or neither for the role of this machine',
    );
  return { accessKeyId, secretAccessKey };
}
