import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Deepest nesting of what is taken in: everything that walks a value later may recurse. */
const maxDepth = 64;

function parse(value: unknown): JsonObject {
  if (!isObject(value)) throw new GraphQLError('JSONObject must be an object.');
  return value;
}

function parseInput(value: unknown): JsonObject {
  if (isDeeperThan(value, maxDepth))
    throw new GraphQLError(`JSONObject may be nested ${maxDepth} deep at most.`);
  return parse(value);
}

/** Level by level, so that no depth can exhaust the stack. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? (Object.values(item) as unknown[]) : [],
    );
  }
  return false;
}

/** A literal of the query language as JSON. Keys such as __proto__ become plain keys. */
function fromLiteral(node: ValueNode, variables: Record<string, unknown>): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, fromLiteral(field.value, variables)]),
      );
    case Kind.LIST:
      return node.values.map((item) => fromLiteral(item, variables));
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.VARIABLE:
      return variables[node.name.value];
    default:
      return node.value;
  }
}

/** Any JSON object. */
export const JSONObject = new GraphQLScalarType<JsonObject, JsonObject>({
  name: 'JSONObject',
  description: 'A JSON object',
  serialize: parse,
  parseValue: parseInput,
  parseLiteral: (node, variables) => parseInput(fromLiteral(node, variables ?? {})),
});
