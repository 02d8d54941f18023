import { z } from 'zod';

/** Media types that a file's first bytes can prove. */
export type SniffedType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif'
  | 'audio/wav'
  | 'application/zip'
  /** UTF-8 without control characters: CSV, JSON and the like, which have no mark of their own. */
  | 'text/plain'
  | 'application/octet-stream';

/** Packages too large for everybody, which a worker may have set up (`npm run setup:<set>`) or not. */
export type PackageSet = 'models';

/** One rung of a kind's ladder, small to large. */
export interface Tier {
  name: string;
  /** Device memory one attempt needs, in bytes. */
  memoryBytes: number;
  /** It runs only where this set of optional packages is set up. */
  needsPackage?: PackageSet;
}

/** A field of params that does not fit the others, by its path below params. */
export interface ParamProblem {
  path: string[];
  message: string;
}

/** A kind of job: what is asked, never how it is computed (that is worker/workloads). */
export interface Kind<Params extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  params: Params;
  tiers: Tier[];
  /** All of it, whatever the tier, runs only where this set of optional packages is set up. */
  needsPackage?: PackageSet;
  /** What the schema can not say: whether params fit each other and what their files are, by field. Pure. */
  check?(params: z.output<Params>, types: Readonly<Record<string, SniffedType>>): ParamProblem[];
  /** Names of the RESULT artifacts that every success has. */
  outputs: string[];
  /** Its attempts leave checkpoints, and a later one goes on from the newest. */
  keepsCheckpoints?: true;
  /** Loads what users made: a child that did so serves nobody else afterwards. */
  loadsUserModels?: true;
  /**
   * Runs programs that users made: in a fresh runner of the engine `process`, which loads no TensorFlow and ends with the attempt, on as many
   * devices as asked for, and only where the operators of server and worker allow it.
   */
  runsPrograms?: true;
  /** Kinds for the project's own tests say so and are off unless allowed. */
  diagnostic?: true;
}

export const defineKind = <Params extends z.ZodType>(kind: Kind<Params>): Kind<Params> => kind;

/** A parameter that holds the id of an upload or an artifact; the bytes must prove one of `accept`. */
export const fileParam = (accept: SniffedType[], description: string) =>
  z.string().meta({ format: 'gjm-file', contentMediaType: accept.join(', '), description });

/** A parameter that holds a list of such ids, at least one. */
export const fileListParam = (accept: SniffedType[], most: number, description: string) =>
  z.array(fileParam(accept, 'The id of a file.')).min(1).max(most).describe(description);

/** The JSON Schema (draft 2020-12) of a kind's params, as the API shows it. */
export function paramsSchemaOf(kind: Kind): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(kind.params, { io: 'input', target: 'draft-2020-12' });
  return schema;
}

/** A file parameter of a kind: its path in params, and what its bytes may be. */
export interface FileField {
  field: string;
  accept: string[];
  /** Values that stand for something built in instead of a file. */
  builtIn: string[];
  /** It holds a list of files. */
  isList: boolean;
}

/** A place in params where a file's id stands, or should. */
export interface FilePlace {
  /** The name that the file goes by among a job's inputs: the field, or in a list the field and its place, `images.0`. */
  name: string;
  /** From the root of params. */
  path: string[];
  value: unknown;
  field: FileField;
}

const fileFields = new WeakMap<Kind, FileField[]>();

/** The top-level params of a kind that hold file ids; found once per kind. */
export function fileFieldsOf(kind: Kind): FileField[] {
  const known = fileFields.get(kind) ?? findFileFields(kind);
  fileFields.set(kind, known);
  return known;
}

/** Every place of these params, which need not be good, where the kind wants a file and nothing built in stands. */
export function filePlacesOf(kind: Kind, params: Readonly<Record<string, unknown>>): FilePlace[] {
  return fileFieldsOf(kind).flatMap((field): FilePlace[] => {
    const name = field.field;
    const value = params[name];
    if (field.isList && Array.isArray(value))
      return value.map((entry: unknown, at) => ({
        name: `${name}.${at}`,
        path: [name, String(at)],
        value: entry,
        field,
      }));
    const isFile = value !== undefined && !field.builtIn.some((word) => word === value);
    return isFile ? [{ name, path: [name], value, field }] : [];
  });
}

function findFileFields(kind: Kind): FileField[] {
  const properties = (paramsSchemaOf(kind)['properties'] ?? {}) as Record<string, Schema>;
  return Object.entries(properties).flatMap(([field, schema]) => {
    const isList = schema.items !== undefined;
    const choices = schema.items ? [schema.items] : (schema.anyOf ?? [schema]);
    const file = choices.find(({ format }) => format === 'gjm-file');
    if (!file) return [];
    const builtIn = choices.flatMap((choice) => (typeof choice.const === 'string' ? [choice.const] : []));
    return [{ field, accept: String(file.contentMediaType).split(', '), builtIn, isList }];
  });
}

interface Schema {
  format?: unknown;
  contentMediaType?: unknown;
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
}
