import { Field, InputType } from 'type-graphql';
import { BigIntScalar } from '../scalars/big-int.js';

@InputType()
export class CreateUploadInput {
  @Field(() => String)
  name!: string;

  @Field(() => BigIntScalar, { nullable: true, description: 'What the size will be.' })
  bytes?: number | bigint | null;

  @Field(() => String, { nullable: true })
  mediaType?: string | null;

  @Field(() => String, { nullable: true, description: 'What the digest will be, hexadecimal.' })
  sha256?: string | null;
}
