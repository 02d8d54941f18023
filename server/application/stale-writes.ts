/** Writes that came with a token of an attempt that is over. Each was refused; the number is shown in the metrics. */
export interface StaleWrites {
  refused: number;
}
