import {
  ConflictProblem,
  ForbiddenProblem,
  RateLimitedProblem,
  UnauthenticatedProblem,
  ValidationProblem,
} from '../problem/problem.type.js';
import { createUnionOf } from '../problem/result-union.js';
import { CreateInviteSuccess, CreateWorkerTokenSuccess, SignInSuccess } from './account.type.js';

export const SignInResult = createUnionOf('SignInResult', [
  SignInSuccess,
  ValidationProblem,
  ConflictProblem,
  UnauthenticatedProblem,
  RateLimitedProblem,
  ForbiddenProblem,
]);

export const CreateInviteResult = createUnionOf('CreateInviteResult', [
  CreateInviteSuccess,
  ValidationProblem,
  ForbiddenProblem,
]);

export const CreateWorkerTokenResult = createUnionOf('CreateWorkerTokenResult', [
  CreateWorkerTokenSuccess,
  ValidationProblem,
  ForbiddenProblem,
]);
