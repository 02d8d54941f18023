import type { z } from 'zod';
import type { FieldProblem } from './problem.js';

/** So many fields are told at most. */
const mostTold = 50;

type Issue = z.core.$ZodIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

/** What a schema made of a value, or all that is wrong with it. */
export type FieldsRead<T> = { ok: true; value: T } | { ok: false; fields: FieldProblem[] };

/**
 * Reads a value by its schema. Everything that is wrong is told at once, each at its path below `prefix` and in words of ours: "must be
 * at least 1", "is not one of 2, 3, 4", "is not known here". A rule of our own says it itself, in the same form.
 */
export function readFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  prefix: readonly string[] = [],
): FieldsRead<z.output<Schema>> {
  const { success, data, error } = schema.safeParse(value, { reportInput: true });
  if (success) return { ok: true, value: data };
  const fields = error.issues.flatMap((issue) => problemsOf(issue, prefix)).slice(0, mostTold);
  return { ok: false, fields };
}

function problemsOf(issue: Issue, prefix: readonly string[]): FieldProblem[] {
  const path = [...prefix, ...issue.path.map(String)];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not known here' }));
  return [{ path, message: sentenceOf(issue) }];
}

function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is needed' : `must be ${nounOf(issue.expected)}`;
    case 'too_small':
      return smallSentence(issue);
    case 'too_big':
      return bigSentence(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return choiceSentence(issue.values);
    case 'invalid_union':
      return unionSentence(issue);
    case 'invalid_format':
      return formatSentence(issue);
    case 'invalid_key':
      return `has a key that ${sentenceOf(issue.issues[0] as Issue)}`;
    case 'custom':
      return issue.message;
    default:
      return 'can not be used';
  }
}

const nouns: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};
const nounOf = (expected: string): string => nouns[expected] ?? expected;

/** What a size is counted in; numbers are their own size. */
const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  object: ['key', 'keys'],
};
const counted = (origin: string, size: number | bigint): string | null => {
  const unit = units[origin];
  return unit ? `${size} ${Number(size) === 1 ? unit[0] : unit[1]}` : null;
};

function smallSentence({ origin, minimum, inclusive }: IssueOf<'too_small'>): string {
  const size = counted(origin, minimum);
  if (size && Number(minimum) === 1) return 'must not be empty';
  if (size) return `must have at least ${size}`;
  if (origin === 'int') return 'must be a whole number that can be counted exactly';
  return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
}

function bigSentence({ origin, maximum, inclusive }: IssueOf<'too_big'>): string {
  const size = counted(origin, maximum);
  if (size) return `must have at most ${size}`;
  if (origin === 'int') return 'must be a whole number that can be counted exactly';
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
}

const choiceSentence = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `is not one of ${values.map(String).join(', ')}`;

/** A choice among fixed values is told as one; of anything else only that nothing fits. */
function unionSentence({ errors }: IssueOf<'invalid_union'>): string {
  const only = errors.map((issues) => issues[0]);
  const values = only.flatMap((issue) => (issue?.code === 'invalid_value' ? issue.values : []));
  return values.length > 0 && only.every((issue) => issue?.code === 'invalid_value')
    ? choiceSentence(values)
    : 'has none of the forms it may have';
}

const forms: Record<string, string> = {
  base64: 'must be base64',
  email: 'must be an e-mail address',
  url: 'must be an address such as https://host/path',
};

/** A pattern says itself what it asks for: zod has no words for it. */
function formatSentence({ format, message }: IssueOf<'invalid_format'>): string {
  if (format === 'regex' && message.startsWith('must ')) return message;
  return forms[format] ?? 'has not the form it must have';
}
