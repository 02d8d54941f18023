import {
  ConflictProblem,
  ForbiddenProblem,
  NotFoundProblem,
  ValidationProblem,
} from '../problem/problem.type.js';
import { createUnionOf } from '../problem/result-union.js';
import { ResetPasswordSuccess, UpdateUserSuccess } from './user.type.js';

export const UpdateUserResult = createUnionOf('UpdateUserResult', [
  UpdateUserSuccess,
  ValidationProblem,
  NotFoundProblem,
  ConflictProblem,
  ForbiddenProblem,
]);

export const ResetPasswordResult = createUnionOf('ResetPasswordResult', [
  ResetPasswordSuccess,
  ValidationProblem,
  NotFoundProblem,
  ForbiddenProblem,
]);
