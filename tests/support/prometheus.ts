/** One metric of a scrape. */
export interface Metric {
  name: string;
  type: string;
  help: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/gy;

/** Reads Prometheus' text format (version 0.0.4) strictly: throws at the first line that is not of it. */
export function parseMetrics(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword) describe(metrics, keyword, name, rest);
    else addSample(metrics, line);
  }
  return metrics;
}

function describe(metrics: Map<string, Metric>, keyword: string, name: string, rest: string): void {
  if (!metricName.test(name)) throw new Error(`${name} is no name.`);
  const metric = metrics.get(name) ?? { name, type: '', help: '', samples: [] };
  if (metric.samples.length > 0) throw new Error(`${name} is described after its samples.`);
  if (keyword === 'HELP' ? metric.help : metric.type) throw new Error(`${name} has two lines ${keyword}.`);
  if (keyword === 'TYPE' && !['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest))
    throw new Error(`${rest} is no type.`);
  metrics.set(name, keyword === 'HELP' ? { ...metric, help: rest } : { ...metric, type: rest });
}

function addSample(metrics: Map<string, Metric>, line: string): void {
  const [, name = '', labelText = '', number = ''] = sampleForm.exec(line) ?? [];
  const metric = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ''));
  if (!metric?.type) throw new Error(`This is no sample of a known metric: ${line}`);
  const value = /^nan$/i.test(number) ? NaN : Number(number.replace(/Inf$/, 'Infinity'));
  if (Number.isNaN(value) && !/^nan$/i.test(number)) throw new Error(`${number} is no number.`);
  const labels = parseLabels(labelText);
  const key = JSON.stringify([name, labels]);
  if (metric.samples.some((sample) => JSON.stringify([sample.name, sample.labels]) === key))
    throw new Error(`Twice: ${line}`);
  metric.samples.push({ name, labels, value });
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let end = 0;
  for (const { 0: whole, 1: name = '', 2: value = '', index } of text.matchAll(labelForm)) {
    labels[name] = value;
    end = index + whole.length;
  }
  if (end !== text.length) throw new Error(`These are no labels: ${text}`);
  return labels;
}

/** Scrapes a server and gives its own metrics as `name` or `name{label value}` → value. */
export async function scrape(url: string): Promise<Record<string, number>> {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const own = [...parseMetrics(await response.text()).values()].filter(({ name }) => name.startsWith('gjm_'));
  return Object.fromEntries(
    own.flatMap(({ samples }) =>
      samples.map(({ name, labels, value }) => {
        const [label] = Object.values(labels);
        return [label === undefined ? name : `${name}{${label}}`, value];
      }),
    ),
  );
}
