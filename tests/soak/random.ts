/**
 * Repeatable numbers in [0, 1) from a seed: the linear congruential generator with the constants of Numerical Recipes (Press et al., §7.1).
 * Good enough to choose what goes wrong when.
 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
