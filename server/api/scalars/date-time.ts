import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** RFC 3339 with a zone; fractions of a second beyond milliseconds are cut. */
const form = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

function parse(value: unknown): Date {
  const date = typeof value === 'string' && form.test(value) ? new Date(value) : null;
  if (!date || Number.isNaN(date.getTime()))
    throw new GraphQLError('DateTime must look like 2026-01-31T12:00:00.000Z.');
  return date;
}

/** A moment: ISO 8601 in UTC with milliseconds, from a Date or from such a text. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'ISO 8601, UTC, milliseconds: 2026-01-31T12:00:00.000Z',
  serialize: (value) => (value instanceof Date ? value : parse(value)).toISOString(),
  parseValue: parse,
  parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined),
});
