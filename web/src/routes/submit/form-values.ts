import type { FormField } from './schema-fields.js';

/** What the form holds for each field, by its path joined with dots; undefined means left to the server. */
export type Values = Readonly<Record<string, unknown>>;

export const keyOf = (field: Pick<FormField, 'path'>): string => field.path.join('.');

/** What stands in the form at first: the defaults, or what an earlier job was given. */
export function initialValues(fields: readonly FormField[], params: Record<string, unknown> = {}): Values {
  const given = (path: readonly string[]): unknown =>
    path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], params);
  return Object.fromEntries(fields.map((field) => [keyOf(field), given(field.path) ?? field.initial]));
}

/** Text that a person typed, as the field means it. What is no number stays text: the server says at the field what it wants. */
export function typedValue(field: FormField, text: string): unknown {
  if (text.trim() === '') return undefined;
  if (field.control.is === 'number') {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (field.control.is !== 'json') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The params to send. What has no value or the default one is left out, and objects in objects are built again. */
export function paramsOf(fields: readonly FormField[], values: Values): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[keyOf(field)];
    if (value === undefined || value === field.initial) continue;
    let at = params;
    for (const name of field.path.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
    at[field.path.at(-1) ?? ''] = value;
  }
  return params;
}
