import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { viewerOf, type GraphqlContext } from '../context.js';
import { registerNode } from '../node.resolver.js';
import { createResultUnion } from '../problem/result-union.js';
import { CreateUploadInput } from './upload.input.js';
import { toCreateUpload, toUpload } from './upload.mapper.js';
import { CreateUploadSuccess } from './upload.type.js';

const CreateUploadResult = createResultUnion('CreateUploadResult', CreateUploadSuccess);

registerNode('upload', async (context, id) => {
  const upload = await context.files.findUpload(viewerOf(context), id);
  return upload && toUpload(upload, context.files, viewerOf(context));
});

@Resolver()
export class UploadResolver {
  @Mutation(() => CreateUploadResult)
  async createUpload(
    @Arg('input', () => CreateUploadInput) input: CreateUploadInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const viewer = viewerOf(context);
    return toCreateUpload(await context.files.createUpload(viewer, input), context.files, viewer);
  }
}
