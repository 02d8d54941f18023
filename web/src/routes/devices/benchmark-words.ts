/** Units as they stand in the names of figures, and as they are written. */
const units: Record<string, string> = {
  gflops: 'GFLOP/s',
  gbs: 'GB/s',
  gbps: 'GB/s',
  ms: 'ms',
};
const subjects: Record<string, string> = { matmul: 'Matrix product', memory: 'Memory', bandwidth: 'Memory' };

const valueOf = (value: unknown): string =>
  typeof value === 'number'
    ? value.toLocaleString('en', { maximumSignificantDigits: value >= 1_000 ? 4 : 3 })
    : JSON.stringify(value);

/** A benchmark's figures in plain words, in their own order: `matmul_gflops_1024` is the matrix product at size 1024. */
export function benchmarkInWords(figures: Record<string, unknown>): { what: string; value: string }[] {
  return Object.entries(figures).map(([name, value]) => {
    const words = name.split('_');
    const unit = words.map((word) => units[word]).find((it) => it !== undefined);
    const sizes = words.filter((word) => /^\d/.test(word));
    const rest = words.filter((word) => !(word in units) && !/^\d/.test(word));
    const subject = rest.map((word) => subjects[word] ?? word).join(' ');
    const what = [subject, ...sizes.map((size) => `size ${size}`)].filter(Boolean).join(', ');
    return { what, value: [valueOf(value), unit].filter(Boolean).join(' ') };
  });
}
