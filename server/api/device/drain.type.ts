import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ForbiddenProblem, NotFoundProblem, ValidationProblem } from '../problem/problem.type.js';
import { createUnionOf } from '../problem/result-union.js';
import { DeviceType } from './device.type.js';

@InputType()
export class DrainInput {
  @Field(() => ID, { description: "A device's id, or a worker's for all of its devices." })
  id!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'When it ends by itself, in seconds from now, a year at most; null: by undrain only.',
  })
  forSeconds?: number | null;

  @Field(() => String, { nullable: true, description: 'Shown to everybody.' })
  reason?: string | null;
}

@ObjectType({ simpleResolvers: true })
export class DrainSuccess {
  @Field(() => [DeviceType])
  devices!: DeviceType[];
}

export const DrainResult = createUnionOf('DrainResult', [
  DrainSuccess,
  ValidationProblem,
  NotFoundProblem,
  ForbiddenProblem,
]);
