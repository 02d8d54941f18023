/** Budgets of one GraphQL document, checked before anything of it runs, on HTTP and WebSocket alike. */
export const documentLimits = {
  /** Nesting of fields and fragments. */
  depth: 12,
  /** Aliases in one operation. */
  aliases: 15,
  directives: 20,
  tokens: 2_000,
  /** See cost.ts. */
  cost: 25_000,
} as const;

/** Bytes of a request body, and of a WebSocket message. */
export const bodyBytes = 256 * 1024;
export const messageBytes = 64 * 1024;
