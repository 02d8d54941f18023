import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../scalars/date-time.js';
import { Node } from '../node.type.js';

export const Role = { ADMIN: 'ADMIN', USER: 'USER' } as const;
export type Role = keyof typeof Role;
registerEnumType(Role, { name: 'Role' });

export const RegistrationMode = { OPEN: 'OPEN', INVITE: 'INVITE', CLOSED: 'CLOSED' } as const;
registerEnumType(RegistrationMode, {
  name: 'RegistrationMode',
  description: 'OPEN: anybody. INVITE: with an invite. CLOSED: only the first account, with an invite.',
});

@ObjectType('Registration', { simpleResolvers: true, description: 'Whether one can make an account here.' })
export class RegistrationType {
  @Field(() => RegistrationMode)
  mode!: keyof typeof RegistrationMode;

  @Field(() => Boolean, { description: 'Nobody has an account yet: the next one is the first, and ADMIN.' })
  isFirst!: boolean;
}

@ObjectType('Viewer', {
  implements: Node,
  simpleResolvers: true,
  description: 'You; for an ADMIN, by id, anybody.',
})
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
