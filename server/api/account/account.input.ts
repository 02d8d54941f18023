import { Field, ID, InputType, Int } from 'type-graphql';
import { Role } from './account.type.js';

@InputType()
export class RegisterInput {
  @Field(() => String)
  email!: string;

  @Field(() => String, { description: '8 to 200 characters.' })
  password!: string;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Needed where registration is not open.' })
  invite?: string | null;

  @Field(() => Boolean, { nullable: true, defaultValue: false })
  returnRefreshToken?: boolean | null;
}

@InputType()
export class LoginInput {
  @Field(() => String)
  email!: string;

  @Field(() => String)
  password!: string;

  @Field(() => Boolean, { nullable: true, defaultValue: false })
  returnRefreshToken?: boolean | null;
}

@InputType()
export class ChangePasswordInput {
  @Field(() => String, { nullable: true, description: 'Null only for an account that has no password yet.' })
  current?: string | null;

  @Field(() => String, { description: '8 to 200 characters.' })
  new!: string;

  @Field(() => Boolean, { nullable: true, defaultValue: false })
  returnRefreshToken?: boolean | null;
}

@InputType({ description: 'What is null stays as it is.' })
export class UpdateUserInput {
  @Field(() => ID)
  id!: string;

  @Field(() => Role, { nullable: true })
  role?: Role | null;

  @Field(() => Boolean, { nullable: true })
  disabled?: boolean | null;
}

@InputType()
export class CreateInviteInput {
  @Field(() => Role, { nullable: true, defaultValue: 'USER' })
  role?: Role | null;

  @Field(() => Int, { nullable: true, defaultValue: 24, description: 'Life of the invite, 1 to 720.' })
  hours?: number | null;
}

@InputType()
export class CreateWorkerTokenInput {
  @Field(() => String)
  name!: string;
}
