/**
 * The API's BigInt as it travels and as this client hands it on: a number up to 2^53-1, a decimal string above. It is never rounded on
 * the way; these two turn it into something to calculate with.
 */
export type WireBigInt = number | string;

/** Exact, for sums and comparisons of any size. */
export const exactOf = (value: WireBigInt): bigint => BigInt(value);

/** For showing and for progress: above 2^53-1 the nearest number. */
export const numberOf = (value: WireBigInt): number => Number(value);
