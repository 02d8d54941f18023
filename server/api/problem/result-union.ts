import { createUnionType, type ClassType } from 'type-graphql';
import {
  ConflictProblem,
  ForbiddenProblem,
  NotFoundProblem,
  QuotaProblem,
  RateLimitedProblem,
  ValidationProblem,
} from './problem.type.js';

/** A union whose members are told apart by the class of the value. */
export const createUnionOf = (name: string, types: readonly ClassType<object>[]): object =>
  // The library's own look-up by class is synchronous; a resolveType of ours would cost a promise per value.
  createUnionType({ name, types: () => types as readonly [ClassType<object>] });

/**
 * `<name> = <success> | ValidationProblem | NotFoundProblem | ConflictProblem | QuotaProblem | RateLimitedProblem | ForbiddenProblem`,
 * the shape most mutations answer with.
 */
export const createResultUnion = (name: string, success: ClassType<object>): object =>
  createUnionOf(name, [
    success,
    ValidationProblem,
    NotFoundProblem,
    ConflictProblem,
    QuotaProblem,
    RateLimitedProblem,
    ForbiddenProblem,
  ]);
