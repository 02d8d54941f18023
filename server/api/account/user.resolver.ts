import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { viewerOf, type GraphqlContext } from '../context.js';
import { UpdateUserInput } from './account.input.js';
import { ViewerType } from './account.type.js';
import { toPasswordReset, toUserConnection, toUserUpdate } from './user.mapper.js';
import { toUserPage } from './user-page.js';
import { ResetPasswordResult, UpdateUserResult } from './user.result.js';
import { UserAccountConnectionType } from './user.type.js';

@Resolver(() => ViewerType)
export class UserResolver {
  @FieldResolver(() => Boolean, {
    description: 'False for an account that signs in by link only: it may set a first password.',
  })
  hasPassword(@Root() { id }: ViewerType, @Ctx() { accounts }: GraphqlContext): Promise<boolean> {
    return accounts.hasPassword(id);
  }

  @Query(() => UserAccountConnectionType, {
    description: 'Accounts that you may see, newest first: an ADMIN everybody, others themselves.',
  })
  async users(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, 25 when not given.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Arg('text', () => String, { nullable: true, description: 'Part of the name or e-mail, or an id.' })
    text: string | null,
    @Ctx() context: GraphqlContext,
  ): Promise<UserAccountConnectionType> {
    const page = toUserPage({ first: first ?? null, after: after ?? null, text: text ?? null });
    const wanted = { ...page, limit: page.limit + 1 };
    return toUserConnection(await context.accounts.listAccounts(viewerOf(context), wanted), page);
  }

  @Mutation(() => UpdateUserResult, {
    description:
      'For an ADMIN. Whoever is disabled or is ADMIN no more loses their sessions at once. The last active ADMIN stays.',
  })
  async updateUser(
    @Arg('input', () => UpdateUserInput) input: UpdateUserInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    return toUserUpdate(await context.accounts.updateUser(viewerOf(context), input));
  }

  @Mutation(() => ResetPasswordResult, {
    description:
      "For an ADMIN. Takes a user's password away, ends their sessions, and gives a one-time sign-in link for 24 hours; who came by it may set a new password.",
  })
  async resetPassword(
    @Arg('userId', () => ID) userId: string,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    return toPasswordReset(await context.accounts.resetPassword(viewerOf(context), userId));
  }
}
