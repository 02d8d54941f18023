import { viewerOf } from '../context.js';
import { registerNode } from '../node.resolver.js';
import { toArtifact } from './artifact.mapper.js';

registerNode('artifact', async (context, id) => {
  const artifact = await context.files.findArtifact(viewerOf(context), id);
  return artifact && toArtifact(artifact, context.files, viewerOf(context));
});
