import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
} from 'graphql';
import { cloneRoot } from '@gjm/stack/clone.js';

export const schema = buildSchema(readFileSync(join(cloneRoot, 'schema.graphql'), 'utf8'));

/** A place where a field takes an id: `Mutation.cancelJob(input.id)`. */
export interface IdDoor {
  name: string;
  operation: 'query' | 'mutation' | 'subscription';
  field: GraphQLField<unknown, unknown>;
  /** From the arguments to the id; `*` is an item of a list. */
  path: string[];
}

const roots = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
] as const;

/** Ids by type, and text that is named like one. */
const namesAnId = (name: string, type: GraphQLNamedType): boolean =>
  type.name === 'ID' ||
  (type.name === 'String' && /(^id|Id|Ids|ids)$/.test(name) && name !== 'clientRequestId');

function idPaths(name: string, type: GraphQLInputType, path: string[]): string[][] {
  const bare = getNullableType(type);
  if (isListType(bare)) return idPaths(name, bare.ofType, [...path, '*']);
  if (isInputObjectType(bare))
    return Object.values(bare.getFields()).flatMap((field) =>
      idPaths(field.name, field.type, [...path, field.name]),
    );
  return namesAnId(name, getNamedType(bare)) ? [path] : [];
}

/** Every root field's every place for an id. */
export const idDoors: IdDoor[] = roots.flatMap(([operation, root]) =>
  Object.values(root?.getFields() ?? {}).flatMap((field) =>
    field.args.flatMap((arg) =>
      idPaths(arg.name, arg.type, [arg.name]).map((path) => ({
        name: `${root?.name}.${field.name}(${path.join('.')})`,
        operation,
        field,
        path,
      })),
    ),
  ),
);

/** An operation of one root field that takes all its arguments as variables of the same names. */
export function documentOf(operation: string, field: GraphQLField<unknown, unknown>, depth = 2): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const head = variables ? `(${variables})` : '';
  return `${operation} ${head} { ${field.name}${args ? `(${args})` : ''} ${selectionOf(getNamedType(field.type), depth)} }`;
}

const canAskWithoutArguments = (field: GraphQLField<unknown, unknown>): boolean =>
  field.args.every((arg) => !isNonNullType(arg.type) || arg.defaultValue !== undefined);

/** Every field of a type that needs no arguments, `depth` levels down; at the last level only leaves. */
export function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (isUnionType(type)) return selectionOfMembers(type.getTypes(), depth);
  if (isInterfaceType(type)) return selectionOfMembers(schema.getPossibleTypes(type), depth);
  return isObjectType(type) ? `{ __typename ${fieldsOf(type, depth, new Set())} }` : '';
}

function fieldsOf(type: GraphQLObjectType, depth: number, renamed: ReadonlySet<string>): string {
  const fields = Object.values(type.getFields()).filter(canAskWithoutArguments);
  const parts = fields.flatMap((field) => {
    const inner = getNamedType(field.type);
    const name = renamed.has(field.name) ? `${type.name}_${field.name}: ${field.name}` : field.name;
    if (isLeafType(inner)) return [name];
    return depth > 1 ? [`${name} ${selectionOf(inner, depth - 1)}`] : [];
  });
  return parts.join(' ');
}

/** Fields that have one name and different types in different members can stand in one selection only under names of their own. */
function selectionOfMembers(members: readonly GraphQLObjectType[], depth: number): string {
  const types = new Map<string, Set<string>>();
  for (const member of members)
    for (const { name, type } of Object.values(member.getFields()))
      types.set(name, (types.get(name) ?? new Set()).add(String(type)));
  const clashing = new Set([...types].filter(([, all]) => all.size > 1).map(([name]) => name));
  const inline = members.map((member) => `... on ${member.name} { ${fieldsOf(member, depth, clashing)} }`);
  return `{ __typename ${inline.join(' ')} }`;
}

/** Arguments with `id` at `path`, over `base`. */
export function withId(base: Record<string, unknown>, path: string[], id: unknown): Record<string, unknown> {
  const [head = '', ...rest] = path;
  if (rest.length === 0) return { ...base, [head]: id };
  if (rest[0] === '*') return { ...base, [head]: [id] };
  return { ...base, [head]: withId((base[head] ?? {}) as Record<string, unknown>, rest, id) };
}
