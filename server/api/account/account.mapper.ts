import type { Viewer } from '@gjm/core/access/policy.js';
import type { Result } from '@gjm/core/problem.js';
import type { Registration } from '../../application/accounts/register.js';
import type { SignIn } from '../../application/accounts/sessions.js';
import type { Caller } from '../context.js';
import { toProblem } from '../problem/problem.mapper.js';
import {
  CreateInviteSuccess,
  CreateWorkerTokenSuccess,
  RegistrationMode,
  RegistrationType,
  SignInSuccess,
  UserType,
  ViewerType,
} from './account.type.js';

export const toViewer = (viewer: Viewer): ViewerType => Object.assign(new ViewerType(), viewer);

export const toRegistration = ({ mode, isFirst }: Registration): RegistrationType =>
  Object.assign(new RegistrationType(), { mode: RegistrationMode[modeNames[mode]], isFirst });

const modeNames = { open: 'OPEN', invite: 'INVITE', closed: 'CLOSED' } as const;

/** What others may see of a user. */
export const toUser = ({ id, name }: { id: string; name: string }): UserType =>
  Object.assign(new UserType(), { id, name });

/**
 * The answer to a sign-in. The refresh token is in the answer when the client asked for it, and in the cookie otherwise: a page never gets
 * to read it.
 */
export function toSignIn(result: Result<SignIn>, caller: Caller | null, inAnswer: boolean): object {
  if (!result.ok) return toProblem(result.problem);
  const { viewer, accessToken, expiresAt, refreshToken, refreshExpiresAt } = result.value;
  if (!inAnswer) caller?.setRefreshCookie(refreshToken, refreshExpiresAt);
  return Object.assign(new SignInSuccess(), {
    viewer: toViewer(viewer),
    accessToken,
    expiresAt,
    refreshToken: inAnswer ? refreshToken : null,
  });
}

export const toInvite = (result: Result<{ invite: string; expiresAt: Date }>): object =>
  result.ok ? Object.assign(new CreateInviteSuccess(), result.value) : toProblem(result.problem);

export const toWorkerToken = (result: Result<{ token: string }>): object =>
  result.ok ? Object.assign(new CreateWorkerTokenSuccess(), result.value) : toProblem(result.problem);
