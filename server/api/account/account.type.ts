import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../scalars/date-time.js';
import { Node } from '../node.type.js';

export const Role = { ADMIN: 'ADMIN', USER: 'USER' } as const;
export type Role = keyof typeof Role;
registerEnumType(Role, { name: 'Role' });

@ObjectType('Viewer', { implements: Node, simpleResolvers: true, description: 'You.' })
export class ViewerType extends Node {
  @Field(() => String)
  email!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Role)
  role!: Role;
}

@ObjectType('User', { simpleResolvers: true, description: 'Somebody, as others see them.' })
export class UserType {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;
}

@ObjectType({ simpleResolvers: true })
export class SignInSuccess {
  @Field(() => ViewerType)
  viewer!: ViewerType;

  @Field(() => String, { description: 'Goes into the header `Authorization: Bearer …`.' })
  accessToken!: string;

  @Field(() => DateTime)
  expiresAt!: Date;

  @Field(() => String, { nullable: true, description: 'Only where asked for; else it is in the cookie.' })
  refreshToken!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class CreateInviteSuccess {
  @Field(() => String, { description: 'Shown once.' })
  invite!: string;

  @Field(() => DateTime)
  expiresAt!: Date;
}

@ObjectType({ simpleResolvers: true })
export class CreateWorkerTokenSuccess {
  @Field(() => String, { description: 'Shown once.' })
  token!: string;
}
