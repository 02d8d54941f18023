import type { GraphQLSchema } from 'graphql';
import { Histogram, type Registry } from 'prom-client';

/** How long GraphQL operations over HTTP took, by the root field they ask for. */
export interface OperationTimes {
  /** `field` is an operation's first root field, as the document has it; what the schema does not know counts as `other`. */
  observe(field: string | undefined, seconds: number): void;
}

/** From a cached read to a statement that is about to be given up, in seconds. */
const buckets = [0.005, 0.02, 0.1, 0.5, 2.5];

/** Labels come from the schema alone, so that nobody can fill the metrics with names of their own. */
export function addOperationTimes(registry: Registry, schema: GraphQLSchema): OperationTimes {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const known = new Set(roots.flatMap((root) => Object.keys(root?.getFields() ?? {})));
  const histogram = new Histogram({
    name: 'gjm_operation_seconds',
    help: 'Time from an operation that is parsed to its answer, over HTTP, by its first root field.',
    labelNames: ['operation'],
    buckets,
    registers: [registry],
  });
  return {
    observe: (field, seconds) =>
      histogram.observe({ operation: field !== undefined && known.has(field) ? field : 'other' }, seconds),
  };
}
