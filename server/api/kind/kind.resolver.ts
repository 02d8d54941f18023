import { Ctx, Query, Resolver } from 'type-graphql';
import { paramsSchemaOf } from '@gjm/core/workload/define.js';
import type { GraphqlContext } from '../context.js';
import { JobKindType } from './kind.type.js';

@Resolver()
export class KindResolver {
  @Query(() => [JobKindType])
  jobKinds(@Ctx() { services, viewer }: GraphqlContext): JobKindType[] {
    return services.kinds.map((kind) =>
      Object.assign(new JobKindType(), {
        name: kind.name,
        title: kind.title,
        description: kind.description,
        paramsSchema: paramsSchemaOf(kind),
        tiers: kind.tiers.map((tier) => tier.name),
        enabled: services.isKindEnabled(kind, viewer),
      }),
    );
  }
}
