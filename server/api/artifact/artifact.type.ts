import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { BigIntScalar } from '../scalars/big-int.js';
import { DateTime } from '../scalars/date-time.js';
import { Node } from '../node.type.js';

export const ArtifactRole = { RESULT: 'RESULT', CHECKPOINT: 'CHECKPOINT', LOG: 'LOG' } as const;
export type ArtifactRole = keyof typeof ArtifactRole;
registerEnumType(ArtifactRole, {
  name: 'ArtifactRole',
  description:
    'RESULT of the accepted attempt is what Job.artifacts lists. CHECKPOINT and LOG hang on their attempt and are kept for a while.',
});

@ObjectType('Artifact', {
  implements: Node,
  simpleResolvers: true,
  description: 'A file that an attempt made.',
})
export class ArtifactType extends Node {
  @Field(() => String)
  name!: string;

  @Field(() => String)
  mediaType!: string;

  @Field(() => BigIntScalar)
  bytes!: number;

  @Field(() => String)
  sha256!: string;

  @Field(() => ArtifactRole)
  role!: ArtifactRole;

  @Field(() => Int, { description: 'The number of the attempt that made it.' })
  attempt!: number;

  @Field(() => String, { description: "Relative to the server's origin; works for an hour or more." })
  url!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}
