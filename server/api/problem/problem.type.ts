import 'reflect-metadata';
import { Field, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
import { problemCodes, type FieldProblem, type ProblemCode } from '@gjm/core/problem.js';

/** The codes as GraphQL enum. */
export const ProblemCodeEnum = Object.fromEntries(problemCodes.map((code) => [code, code])) as Record<
  ProblemCode,
  ProblemCode
>;
registerEnumType(ProblemCodeEnum, { name: 'ProblemCode' });

/** A refusal that the caller can act on: a member of each mutation's result union. Core's `Problem` values become these classes. */
@InterfaceType('Problem', { description: 'A refusal that the caller can act on.' })
export abstract class ProblemType {
  @Field(() => ProblemCodeEnum, { simple: true })
  code!: ProblemCode;

  @Field(() => String, { simple: true, description: 'One sentence for a person.' })
  message!: string;
}

@ObjectType('FieldProblem', { simpleResolvers: true })
export class FieldProblemType implements FieldProblem {
  @Field(() => [String], { description: 'From the root of the input, such as ["params", "scale"].' })
  path!: string[];

  @Field(() => String)
  message!: string;
}

@ObjectType({
  implements: ProblemType,
  simpleResolvers: true,
  description: 'The input breaks a rule; `fields` says where.',
})
export class ValidationProblem extends ProblemType {
  @Field(() => [FieldProblemType])
  fields!: FieldProblemType[];
}

@ObjectType({
  implements: ProblemType,
  simpleResolvers: true,
  description: 'The id acted on is unknown, or not yours.',
})
export class NotFoundProblem extends ProblemType {}

@ObjectType({
  implements: ProblemType,
  simpleResolvers: true,
  description: 'The state of things does not allow this.',
})
export class ConflictProblem extends ProblemType {}

@ObjectType({
  implements: ProblemType,
  simpleResolvers: true,
  description: 'A limit of the account is reached.',
})
export class QuotaProblem extends ProblemType {}

@ObjectType({
  implements: ProblemType,
  simpleResolvers: true,
  description: 'Wrong e-mail, password or token.',
})
export class UnauthenticatedProblem extends ProblemType {}

@ObjectType({ implements: ProblemType, simpleResolvers: true, description: 'Not for you, or not here.' })
export class ForbiddenProblem extends ProblemType {}

@ObjectType({
  implements: ProblemType,
  simpleResolvers: true,
  description: 'Too many tries; wait, then try again.',
})
export class RateLimitedProblem extends ProblemType {
  @Field(() => Int)
  retryAfterMs!: number;
}
