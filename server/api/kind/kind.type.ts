import { Field, ObjectType } from 'type-graphql';
import { JSONObject } from '../scalars/json-object.js';

@ObjectType('JobKind', { simpleResolvers: true, description: 'A typed sort of job.' })
export class JobKindType {
  @Field(() => String)
  name!: string;

  @Field(() => String)
  title!: string;

  @Field(() => String)
  description!: string;

  @Field(() => JSONObject, {
    description:
      'JSON Schema of params. A file is { type: string, format: gjm-file, contentMediaType }: the id of an upload or artifact; a list of files is an array of such items.',
  })
  paramsSchema!: Record<string, unknown>;

  @Field(() => [String], { description: 'Its ladder of models, small to large.' })
  tiers!: string[];

  @Field(() => Boolean, { description: 'Whether this installation takes jobs of it.' })
  enabled!: boolean;
}
