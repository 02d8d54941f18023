import { Field, ID, ObjectType } from 'type-graphql';
import { PageInfoType } from '../job/job-connection.type.js';
import { DateTime } from '../scalars/date-time.js';
import { Role } from './account.type.js';

@ObjectType('UserAccount', {
  simpleResolvers: true,
  description: "A user's account, as they themselves and an ADMIN see it.",
})
export class UserAccountType {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  email!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Role)
  role!: Role;

  @Field(() => Boolean, { description: 'Can not sign in.' })
  disabled!: boolean;

  @Field(() => Boolean, { description: 'False for an account that signs in by link only.' })
  hasPassword!: boolean;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Of the last sign-in or refresh.' })
  lastSeenAt!: Date | null;
}

@ObjectType('UserAccountEdge', { simpleResolvers: true })
export class UserAccountEdgeType {
  @Field(() => String)
  cursor!: string;

  @Field(() => UserAccountType)
  node!: UserAccountType;
}

@ObjectType('UserAccountConnection', { simpleResolvers: true })
export class UserAccountConnectionType {
  @Field(() => [UserAccountEdgeType])
  edges!: UserAccountEdgeType[];

  @Field(() => [UserAccountType])
  nodes!: UserAccountType[];

  @Field(() => PageInfoType)
  pageInfo!: PageInfoType;
}

@ObjectType({ simpleResolvers: true })
export class UpdateUserSuccess {
  @Field(() => UserAccountType)
  user!: UserAccountType;
}

@ObjectType({ simpleResolvers: true })
export class ResetPasswordSuccess {
  @Field(() => String, {
    description: 'Shown once. Goes into the link `<server>/#sign-in=<token>`, or into `redeemSignInLink`.',
  })
  token!: string;

  @Field(() => DateTime)
  expiresAt!: Date;
}
