import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function parse(value: unknown): JsonObject {
  if (!isObject(value)) throw new GraphQLError('JSONObject must be an object.');
  return value;
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
  parseValue: parse,
  parseLiteral: (node, variables) => parse(fromLiteral(node, variables ?? {})),
});
