import { Field, ObjectType } from 'type-graphql';
import { BigIntScalar } from '../scalars/big-int.js';
import { DateTime } from '../scalars/date-time.js';
import { Node } from '../node.type.js';

@ObjectType('Upload', {
  implements: Node,
  simpleResolvers: true,
  description:
    "PUT the bytes to url (relative to the server's origin): 201 { id, bytes, sha256 }; a second PUT 409; too large 413; digest differs 422.",
})
export class UploadType extends Node {
  @Field(() => String)
  name!: string;

  @Field(() => String)
  url!: string;

  @Field(() => BigIntScalar, { nullable: true })
  bytes!: number | null;

  @Field(() => String, { nullable: true })
  sha256!: string | null;

  @Field(() => Boolean)
  complete!: boolean;

  @Field(() => DateTime, { description: 'Swept then, unless it is used before.' })
  expiresAt!: Date;
}

@ObjectType({ simpleResolvers: true })
export class CreateUploadSuccess {
  @Field(() => UploadType)
  upload!: UploadType;
}
