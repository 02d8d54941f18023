import { Field, ObjectType } from 'type-graphql';

@ObjectType('HealthCheck', { simpleResolvers: true })
export class HealthCheckType {
  @Field(() => String)
  name!: string;

  @Field(() => Boolean)
  ok!: boolean;

  @Field(() => String, { nullable: true })
  message!: string | null;
}

@ObjectType('Health', { simpleResolvers: true, description: 'The same as GET /health.' })
export class HealthType {
  @Field(() => Boolean, { description: 'Whether this server takes work. True when only degraded.' })
  ok!: boolean;

  @Field(() => String)
  version!: string;

  @Field(() => [HealthCheckType])
  checks!: HealthCheckType[];
}
