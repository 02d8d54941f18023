import { Field, ID, ObjectType } from 'type-graphql';
import { createResultUnion } from '../problem/result-union.js';
import { JobType } from './job.type.js';

@ObjectType({ simpleResolvers: true })
export class SubmitJobSuccess {
  @Field(() => JobType)
  job!: JobType;
}

@ObjectType({ simpleResolvers: true })
export class CancelJobSuccess {
  @Field(() => JobType)
  job!: JobType;
}

@ObjectType({ simpleResolvers: true })
export class DeleteJobSuccess {
  @Field(() => ID)
  id!: string;
}

export const SubmitJobResult = createResultUnion('SubmitJobResult', SubmitJobSuccess);
export const CancelJobResult = createResultUnion('CancelJobResult', CancelJobSuccess);
export const DeleteJobResult = createResultUnion('DeleteJobResult', DeleteJobSuccess);
