import { ApolloArmor } from '@escape.tech/graphql-armor';
import type { ValidationContext, ValidationRule } from 'graphql';
import { budgetExceeded, costRule } from './cost.js';
import { documentLimits } from './limits.js';

/** What armor calls when a limit is passed; its own error has another code, and is not thrown. */
const report = {
  onReject: [
    (context: ValidationContext | null, error: Error) =>
      context?.reportError(budgetExceeded(error.message.replace(/^Syntax Error: /, ''))),
  ],
  propagateOnRejection: false,
};

/**
 * The rules for depth, aliases and directives (graphql-armor) and for cost (ours: armor counts neither pages by variable nor each field
 * once). Tokens are counted by the parser itself: {@link parseLimits}. These are plain validation rules: they hold wherever a document is validated.
 */
export const budgetRules: readonly ValidationRule[] = [
  ...new ApolloArmor({
    maxDepth: { n: documentLimits.depth, ...report },
    maxAliases: { n: documentLimits.aliases, ...report },
    maxDirectives: { n: documentLimits.directives, ...report },
    costLimit: { enabled: false },
    maxTokens: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }).protect().validationRules,
  costRule(documentLimits.cost),
];

/** For graphql-js' parser, which stops at the first token too many. */
export const parseLimits = { maxTokens: documentLimits.tokens } as const;
