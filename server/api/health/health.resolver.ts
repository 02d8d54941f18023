import { Ctx, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../context.js';
import { HealthType } from './health.type.js';

@Resolver()
export class HealthResolver {
  @Query(() => HealthType)
  health(@Ctx() { health }: GraphqlContext): Promise<HealthType> {
    return health();
  }
}
