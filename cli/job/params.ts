/** The part of JSON Schema that kinds use for a param. */
export interface ParamSchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: ParamSchema[];
  items?: ParamSchema;
  default?: unknown;
  description?: string;
  format?: string;
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
}

export interface ParamsSchema {
  properties?: Record<string, ParamSchema>;
  required?: string[];
}

const words: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function asType(type: string, text: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return numeral.test(text) ? Number(text) : undefined;
    case 'boolean':
      return words[text.toLowerCase()];
    case 'null':
      return text === 'null' ? null : undefined;
    case 'string':
      return text;
    default:
      return typeof jsonOf(text) === 'object' ? jsonOf(text) : undefined;
  }
}

function valueBy(schema: ParamSchema, text: string): unknown {
  if ('const' in schema) return String(schema.const) === text ? schema.const : undefined;
  if (schema.enum) return schema.enum.find((value) => String(value) === text);
  if (schema.anyOf)
    for (const choice of schema.anyOf) {
      const value = valueBy(choice, text);
      if (value !== undefined) return value;
    }
  return schema.type ? asType(schema.type, text) : undefined;
}

/**
 * What a typed text means for a param of this schema. What does not fit goes as it is: the server's refusal names every bad field at
 * once, by one rule for all clients. A param that the kind does not have is read as JSON where it is JSON.
 */
export function typedParam(schema: ParamSchema | undefined, text: string): unknown {
  if (!schema) return jsonOf(text);
  const value = valueBy(schema, text);
  if (value !== undefined) return value;
  return schema.type === 'string' ? text : jsonOf(text);
}

/** A param that holds a list of files. */
export const isFileList = ({ items }: ParamSchema): boolean => items?.format === 'gjm-file';

/** What a param takes, in a few words: `integer 1 to 100`, `2 | 3 | 4 | 8`, `file (image/png)`. */
export function describeParam(schema: ParamSchema): string {
  if (isFileList(schema)) return `files (${schema.items?.contentMediaType ?? 'any'})`;
  if (schema.format === 'gjm-file') return `file (${schema.contentMediaType ?? 'any'})`;
  if ('const' in schema) return String(schema.const);
  if (schema.enum) return schema.enum.map(String).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(describeParam).join(' | ');
  const { minimum, maximum } = schema;
  const least = minimum === undefined || minimum <= -Number.MAX_SAFE_INTEGER ? null : minimum;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  const range =
    least !== null && most !== null
      ? ` ${least} to ${most}`
      : least !== null
        ? ` from ${least}`
        : most !== null
          ? ` up to ${most}`
          : '';
  return `${schema.type ?? 'any'}${range}`;
}
