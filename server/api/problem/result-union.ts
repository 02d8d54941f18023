import { createUnionType, type ClassType } from 'type-graphql';
import {
  ConflictProblem,
  ForbiddenProblem,
  NotFoundProblem,
  QuotaProblem,
  RateLimitedProblem,
  ValidationProblem,
} from './problem.type.js';

/**
 * `<name> = <success> | ValidationProblem | NotFoundProblem | ConflictProblem | QuotaProblem | RateLimitedProblem | ForbiddenProblem`,
 * the shape most mutations answer with. Members are told apart by their class.
 */
export const createResultUnion = (name: string, success: ClassType<object>) =>
  createUnionOf(name, [
    success,
    ValidationProblem,
    NotFoundProblem,
    ConflictProblem,
    QuotaProblem,
    RateLimitedProblem,
    ForbiddenProblem,
  ]);

/** A union whose members are told apart by the class of the value. */
export const createUnionOf = (name: string, types: ClassType<object>[]): object =>
  createUnionType({
    name,
    types: () => types as unknown as readonly [ClassType<object>],
    resolveType: (value: object) => types.find((type) => value instanceof type),
  });
