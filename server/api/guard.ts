import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { unauthenticated, unavailable } from '@gjm/core/errors.js';
import type { GraphqlContext } from './context.js';

/** The public doors. Everything else is closed, whoever adds it. */
const publicFields = new Set([
  'Query.viewer',
  'Query.health',
  'Query.registration',
  'Mutation.register',
  'Mutation.login',
  'Mutation.refresh',
  'Mutation.logout',
  'Mutation.redeemSignInLink',
]);

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext>;

/** Puts the guard before every root field that is not a public door. It runs once per root field, so nested fields cost nothing. */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    if (root) guardRoot(root);
  return schema;
}

function guardRoot(root: GraphQLObjectType): void {
  for (const field of Object.values(root.getFields())) {
    if (publicFields.has(`${root.name}.${field.name}`)) continue;
    if (field.subscribe) field.subscribe = behindGuard(field.subscribe as Resolve);
    field.resolve = behindGuard((field.resolve ?? defaultFieldResolver) as Resolve);
  }
}

const behindGuard =
  (resolve: Resolve): Resolve =>
  (root, args, context, info) => {
    if (context.viewer === null)
      throw context.viewerFault
        ? unavailable('Try again in a moment.', context.viewerFault)
        : unauthenticated();
    return resolve(root, args, context, info);
  };
