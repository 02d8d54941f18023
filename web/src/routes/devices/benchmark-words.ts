/** What figures are called: by the name of the metric, with what it was measured at. */
const known: [name: RegExp, what: (size: string) => string, unit: string][] = [
  [/^matmul_gflops_(\d+)$/, (size) => `Matrix product, ${size} × ${size}`, 'GFLOP/s'],
  [/^memory_gb_per_s_(\d+)mib$/, (size) => `Memory moved, ${size} MiB`, 'GB/s'],
];

const numberText = (value: unknown): string =>
  typeof value === 'number'
    ? value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
    : JSON.stringify(value);

/** A benchmark's figures in plain words, in their own order; a figure that is not known here keeps its name. */
export function benchmarkInWords(figures: Record<string, unknown>): { what: string; value: string }[] {
  return Object.entries(figures).map(([name, value]) => {
    for (const [pattern, what, unit] of known) {
      const size = pattern.exec(name)?.[1];
      if (size !== undefined) return { what: what(size), value: `${numberText(value)} ${unit}` };
    }
    return { what: name.replaceAll('_', ' '), value: numberText(value) };
  });
}
