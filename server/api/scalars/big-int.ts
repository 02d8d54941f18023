import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** An integer below 2^63: a number as long as JSON keeps it exact, a bigint above. */
type Whole = number | bigint;

function parse(value: unknown): Whole {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const text = typeof value === 'string' || typeof value === 'bigint' ? String(value) : '';
  if (!/^-?\d{1,19}$/.test(text))
    throw new GraphQLError('BigInt must be a whole number, as decimal text above 2^53-1.');
  const whole = BigInt(text);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

/** A size or a count: a JSON number up to 2^53-1, decimal text above. */
export const BigIntScalar = new GraphQLScalarType<Whole, number | string>({
  name: 'BigInt',
  description: 'JSON number up to 2^53-1, decimal string above',
  serialize(value) {
    const whole = parse(value);
    return typeof whole === 'bigint' ? String(whole) : whole;
  },
  parseValue: parse,
  parseLiteral: (node) => parse(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
});
