import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { nounOf, type IdNoun } from '@gjm/core/ids.js';
import { viewerOf, type GraphqlContext } from './context.js';
import { Node } from './node.type.js';

type FindNode = (context: GraphqlContext, id: string) => Promise<Node | null>;

const finders = new Map<IdNoun, FindNode>();

/** Lets `node(id)` find things of a noun. The finder guards access like any other door: what may not be seen is null. */
export function registerNode(noun: IdNoun, find: FindNode): void {
  finders.set(noun, find);
}

@Resolver()
export class NodeResolver {
  @Query(() => Node, { nullable: true, description: 'Null for an unknown, foreign or malformed id.' })
  async node(@Arg('id', () => ID) id: string, @Ctx() context: GraphqlContext): Promise<Node | null> {
    viewerOf(context);
    const noun = nounOf(id);
    return (noun && (await finders.get(noun)?.(context, id))) ?? null;
  }
}
