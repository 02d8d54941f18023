/** A JSON Schema, as far as a form reads it. */
interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  contentMediaType?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  anyOf?: Schema[];
  items?: Schema;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** How one parameter is asked for. `file` may come with fixed words to choose instead, such as a built-in data set. */
type Control =
  | { is: 'file'; accept: string; words: readonly string[] }
  | { is: 'files'; accept: string }
  | { is: 'number'; isInteger: boolean }
  | { is: 'choice'; options: readonly (string | number | boolean)[] }
  | { is: 'switch' }
  | { is: 'text' }
  | { is: 'json' };

export interface FormField {
  /** From the root of `params`. */
  path: readonly string[];
  label: string;
  help: string;
  isRequired: boolean;
  /** What the server fills in when nothing is sent. */
  initial: unknown;
  control: Control;
}

/** `learningRate` → `Learning rate`. */
const labelOf = (name: string): string => {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const alternativesOf = (schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');

function wordsOf(schemas: readonly Schema[]): (string | number | boolean)[] {
  return schemas.flatMap((it) => (it.const !== undefined ? [it.const] : (it.enum ?? []))).filter(isPlain);
}

function controlOf(schema: Schema): Control {
  const alternatives = alternativesOf(schema);
  const file = [schema, ...alternatives].find(({ format }) => format === 'gjm-file');
  if (file)
    return { is: 'file', accept: file.contentMediaType ?? '', words: wordsOf(alternatives).map(String) };
  if (schema.items?.format === 'gjm-file')
    return { is: 'files', accept: schema.items.contentMediaType ?? '' };
  const options = wordsOf(alternatives.length > 0 ? alternatives : [schema]);
  const isClosed = alternatives.every((it) => it.const !== undefined || it.enum !== undefined);
  if (options.length > 0 && isClosed) return { is: 'choice', options };
  const only = alternatives.length === 1 ? alternatives[0]! : schema;
  const type = Array.isArray(only.type) ? only.type.find((it) => it !== 'null') : only.type;
  if (type === 'boolean') return { is: 'switch' };
  if (type === 'integer' || type === 'number') return { is: 'number', isInteger: type === 'integer' };
  return type === 'string' ? { is: 'text' } : { is: 'json' };
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const isSaid = (value: number | undefined): value is number =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  const [low, high] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum];
  const said = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 10 });
  const above = minimum === undefined ? 'Above' : 'At least';
  if (isSaid(low) && isSaid(high)) return `${said(low)}\u00a0to\u00a0${said(high)}.`;
  return isSaid(low) ? `${above} ${said(low)}.` : isSaid(high) ? `At most ${said(high)}.` : '';
}

/** The fields of a kind's params, in the schema's order; objects in objects become fields of their own. */
export function fieldsOf(schema: unknown, parent: readonly string[] = []): FormField[] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).flatMap(([name, property]): FormField[] => {
    const path = [...parent, name];
    if (property.properties) return fieldsOf(property, path);
    return [
      {
        path,
        label: property.title ?? labelOf(name),
        help: [property.description ?? '', rangeOf(property)].filter(Boolean).join(' '),
        isRequired: required.includes(name) && property.default === undefined,
        initial: property.default,
        control: controlOf(property),
      },
    ];
  });
}
