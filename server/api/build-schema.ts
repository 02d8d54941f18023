import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';
import { AccountResolver } from './account/account.resolver.js';
import './artifact/artifact.node.js';
import { UserResolver } from './account/user.resolver.js';
import { DeviceResolver } from './device/device.resolver.js';
import { DrainResolver } from './device/drain.resolver.js';
import { EventResolver } from './event/event.resolver.js';
import { guardSchema } from './guard.js';
import { HealthResolver } from './health/health.resolver.js';
import { AttemptResolver, WaitReasonResolver } from './job/attempt.resolver.js';
import { JobConnectionResolver } from './job/job-connection.resolver.js';
import { JobResolver } from './job/job.resolver.js';
import { KindResolver } from './kind/kind.resolver.js';
import { NodeResolver } from './node.resolver.js';
import { BigIntScalar } from './scalars/big-int.js';
import { DateTime } from './scalars/date-time.js';
import { UploadResolver } from './upload/upload.resolver.js';

/** All resolvers. A new noun adds its own here; the guard closes its fields to strangers by itself. */
const resolvers = [
  AccountResolver,
  AttemptResolver,
  DeviceResolver,
  DrainResolver,
  EventResolver,
  HealthResolver,
  JobConnectionResolver,
  JobResolver,
  KindResolver,
  NodeResolver,
  UploadResolver,
  UserResolver,
  WaitReasonResolver,
] as const;

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
    resolvers,
    validate: false,
    pubSub: unusedPubSub,
    scalarsMap: [
      { type: Date, scalar: DateTime },
      { type: BigInt, scalar: BigIntScalar },
    ],
  });
  return guardSchema(schema);
}
