import type { Problem } from '@gjm/core/problem.js';
import {
  ConflictProblem,
  ForbiddenProblem,
  NotFoundProblem,
  QuotaProblem,
  RateLimitedProblem,
  UnauthenticatedProblem,
  ValidationProblem,
} from './problem.type.js';

const classes = {
  ValidationProblem,
  NotFoundProblem,
  ConflictProblem,
  QuotaProblem,
  UnauthenticatedProblem,
  ForbiddenProblem,
  RateLimitedProblem,
};

/** The API's object for a refusal; its class names the member of the union. */
export function toProblem<P extends Problem>(problem: P): InstanceType<(typeof classes)[P['type']]> {
  const { type, ...fields } = problem;
  return Object.assign(new classes[type](), fields) as InstanceType<(typeof classes)[P['type']]>;
}
