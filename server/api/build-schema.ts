import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchema, type NonEmptyArray } from 'type-graphql';
import { AccountResolver } from './account/account.resolver.js';
import './artifact/artifact.node.js';
import { guardSchema } from './guard.js';
import { HealthResolver } from './health/health.resolver.js';
import { NodeResolver } from './node.resolver.js';
import { BigIntScalar } from './scalars/big-int.js';
import { DateTime } from './scalars/date-time.js';
import { UploadResolver } from './upload/upload.resolver.js';

/** All resolvers. A new noun adds its own here; the guard closes its fields to strangers by itself. */
const resolvers: NonEmptyArray<() => unknown> = [AccountResolver, HealthResolver, NodeResolver, UploadResolver] as never;

/** Needed by the library for any subscription. Ours are async generators that read Postgres, so nothing is ever published here. */
const unusedPubSub = {
  publish: (): never => {
    throw new Error('Subscriptions do not go through this.');
  },
  subscribe: (): never => {
    throw new Error('Subscriptions do not go through this.');
  },
};

/** The executable schema. Input is checked by zod in the application, not by class-validator. */
export async function buildApiSchema(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: resolvers as NonEmptyArray<never>,
    validate: false,
    pubSub: unusedPubSub,
    scalarsMap: [
      { type: Date, scalar: DateTime },
      { type: BigInt, scalar: BigIntScalar },
    ],
  });
  return guardSchema(schema);
}
