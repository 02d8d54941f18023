import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { isAllowed } from '@gjm/core/access/policy.js';
import { viewerOf, type GraphqlContext } from '../context.js';
import { registerNode } from '../node.resolver.js';
import {
  ChangePasswordInput,
  CreateInviteInput,
  CreateWorkerTokenInput,
  LoginInput,
  RegisterInput,
} from './account.input.js';
import { toInvite, toRegistration, toSignIn, toViewer, toWorkerToken } from './account.mapper.js';
import { CreateInviteResult, CreateWorkerTokenResult, SignInResult } from './account.result.js';
import { RegistrationType, ViewerType } from './account.type.js';

const addressOf = (context: GraphqlContext): string => context.caller?.address ?? 'unknown';

registerNode('user', async ({ viewer, accounts }, id) => {
  if (!isAllowed(viewer, 'read', { ownerId: id })) return null;
  const user = viewer?.id === id ? viewer : await accounts.findViewer(id);
  return user && toViewer(user);
});

@Resolver()
export class AccountResolver {
  @Query(() => ViewerType, { nullable: true, description: 'Null when nobody is signed in.' })
  viewer(@Ctx() { viewer }: GraphqlContext): ViewerType | null {
    return viewer && toViewer(viewer);
  }

  @Query(() => RegistrationType, { description: 'A public door.' })
  async registration(@Ctx() { accounts }: GraphqlContext): Promise<RegistrationType> {
    return toRegistration(await accounts.registration());
  }

  @Mutation(() => SignInResult)
  async register(
    @Arg('input', () => RegisterInput) input: RegisterInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const result = await context.accounts.register(input, addressOf(context));
    return toSignIn(result, context.caller, input.returnRefreshToken ?? false);
  }

  @Mutation(() => SignInResult)
  async login(
    @Arg('input', () => LoginInput) input: LoginInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const result = await context.accounts.login(input, addressOf(context));
    return toSignIn(result, context.caller, input.returnRefreshToken ?? false);
  }

  @Mutation(() => SignInResult, {
    description: 'Exchanges the refresh token of the argument, else of the cookie.',
  })
  async refresh(
    @Arg('token', () => String, { nullable: true }) token: string | null,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const result = await context.accounts.refresh(token ?? context.caller?.refreshCookie ?? null);
    return toSignIn(result, context.caller, token != null);
  }

  @Mutation(() => Boolean, { description: 'Ends this session. True also when there was none.' })
  async logout(@Ctx() context: GraphqlContext): Promise<boolean> {
    await context.accounts.logout(context.sessionId, context.caller?.refreshCookie ?? null);
    context.caller?.setRefreshCookie(null);
    return true;
  }

  @Mutation(() => SignInResult, { description: 'Signs in by the one-time token of a link.' })
  async redeemSignInLink(
    @Arg('token', () => String) token: string,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const result = await context.accounts.redeemSignInLink(token, addressOf(context));
    return toSignIn(result, context.caller, false);
  }

  @Mutation(() => SignInResult, {
    description:
      'Ends all other sessions; this one goes on with the fresh tokens of the answer. Wrong passwords count as at login.',
  })
  async changePassword(
    @Arg('input', () => ChangePasswordInput) input: ChangePasswordInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const { sessionId } = context;
    if (sessionId === null) throw new Error('A viewer came without a session.');
    const owner = { viewer: viewerOf(context), sessionId, address: addressOf(context) };
    const result = await context.accounts.changePassword(owner, input);
    return toSignIn(result, context.caller, input.returnRefreshToken ?? false);
  }

  @Mutation(() => CreateInviteResult)
  async createInvite(
    @Arg('input', () => CreateInviteInput) input: CreateInviteInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    return toInvite(await context.accounts.createInvite(viewerOf(context), input));
  }

  @Mutation(() => CreateWorkerTokenResult)
  async createWorkerToken(
    @Arg('input', () => CreateWorkerTokenInput) input: CreateWorkerTokenInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    return toWorkerToken(await context.accounts.createWorkerToken(viewerOf(context), input));
  }
}
