import {
  GraphQLError,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** What a page argument can be at most, for documents that give it by a variable: validation does not see values. */
const pageCaps: Record<string, number> = { events: 1_000 };
const defaultPageCap = 100;

/**
 * The fields that an operation may make the server resolve: each field costs 1, and what is below a field with `first` or `last` counts as
 * often as the page is long. Pages within pages multiply. A page by variable counts as the longest one allowed.
 */
export const costRule =
  (limit: number): ValidationRule =>
  (context) => ({
    OperationDefinition(operation) {
      const cost = costOfSelection(context, operation.selectionSet, new Map());
      if (cost > limit)
        context.reportError(budgetExceeded(`This operation may cost ${cost} fields; ${limit} are allowed.`));
    },
  });

export const budgetExceeded = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BUDGET_EXCEEDED' } });

type Known = Map<string, number>;

function costOfSelection(context: ValidationContext, set: SelectionSetNode, known: Known): number {
  let cost = 0;
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) cost += costOfField(context, node, known);
    else if (node.kind === Kind.INLINE_FRAGMENT) cost += costOfSelection(context, node.selectionSet, known);
    else cost += costOfFragment(context, context.getFragment(node.name.value), known);
  }
  return cost;
}

function costOfField(context: ValidationContext, field: FieldNode, known: Known): number {
  if (!field.selectionSet || field.name.value.startsWith('__')) return 1;
  return 1 + pageLength(field) * costOfSelection(context, field.selectionSet, known);
}

function pageLength(field: FieldNode): number {
  const page = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last');
  if (!page) return 1;
  const length =
    page.value.kind === Kind.INT ? Number(page.value.value) : (pageCaps[field.name.value] ?? defaultPageCap);
  return Math.max(1, length);
}

/** A fragment is counted once and its cost reused; one that spreads itself, which another rule refuses, counts as 0 the second time. */
function costOfFragment(
  context: ValidationContext,
  fragment: FragmentDefinitionNode | null | undefined,
  known: Known,
): number {
  if (!fragment) return 0;
  const name = fragment.name.value;
  const before = known.get(name);
  if (before !== undefined) return before;
  known.set(name, 0);
  const cost = costOfSelection(context, fragment.selectionSet, known);
  known.set(name, cost);
  return cost;
}
