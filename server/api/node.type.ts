import { Field, ID, InterfaceType } from 'type-graphql';

/** Anything that has an id of its own and can be asked for by it. */
@InterfaceType('Node', { description: 'Anything that can be asked for by its id.' })
export abstract class Node {
  @Field(() => ID, { simple: true })
  id!: string;
}
