import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedStack } from '../support/environment.js';
import { parseMetrics, scrape } from '../support/prometheus.js';
import { post } from '../support/api.js';
import { openRelay, type Relay } from '../support/relay.js';
import { ServerBench } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

let bench: ServerBench;
let url: string;
let admin: SignedIn;
let person: SignedIn;
const relays: { postgres?: Relay; redis?: Relay } = {};

beforeAll(async () => {
  const stack = sharedStack();
  relays.redis = await openRelay(stack.redisUrl);
  bench = new ServerBench({ ...stack, redisUrl: relays.redis.url });
  const env = await bench.install();
  relays.postgres = await openRelay(env['DATABASE_URL'] as string);
  [url] = (await bench.startMany(1, { ...env, DATABASE_URL: relays.postgres.url })) as [string];
  admin = await signUp(url);
  person = await signUp(url);
});

afterAll(async () => {
  await bench.close();
  for (const relay of Object.values(relays)) relay.close();
});

const get = (headers: Record<string, string> = {}) => fetch(`${url}/metrics`, { headers });

describe('/metrics', () => {
  test('is Prometheus’ text format, each metric of ours described, typed and named by the rules', async () => {
    const response = await get();
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const metrics = [...parseMetrics(await response.text()).values()];
    expect(metrics.map(({ name }) => name)).toContain('process_cpu_seconds_total');
    const own = metrics.filter(({ name }) => name.startsWith('gjm_'));
    expect(own.length).toBeGreaterThan(15);
    for (const { name, type, help, samples } of own) {
      expect(help).toMatch(/^[A-Z\d].+\.$/);
      const isTimes = name === 'gjm_operation_seconds';
      const expected = name.endsWith('_total') ? 'counter' : isTimes ? 'histogram' : 'gauge';
      expect([name, type]).toEqual([name, expected]);
      // A CPU has no driver that tells of it.
      const least = name.startsWith('gjm_device_') ? 0 : 1;
      if (!isTimes) expect([name, samples.length >= least && samples.length < 15]).toEqual([name, true]);
      for (const { value } of samples) expect(value).toBeGreaterThanOrEqual(0);
    }
  });

  test('times operations by root fields of the schema, and whatever a stranger makes up as one name', async () => {
    const ask = (query: string) => post(url, query, { token: person.token });
    await ask('query anyName { mine: viewer { id } }');
    await ask('{ madeUpField }');
    await ask('{ __typename viewer { id } }');
    const metric = parseMetrics(await (await get()).text()).get('gjm_operation_seconds');
    const names = new Set(metric?.samples.map(({ labels }) => labels['operation']));
    expect(names).toContain('viewer');
    expect(names).toContain('other');
    expect(names).not.toContain('madeUpField');
    expect(names).not.toContain('anyName');
  });

  test('tells times as a histogram should: buckets that grow up to all of them, with a sum and a count for each name', async () => {
    await post(url, '{ viewer { id } }', { token: person.token });
    const metric = parseMetrics(await (await get()).text()).get('gjm_operation_seconds');
    const of = (operation: string, suffix: string) =>
      (metric?.samples ?? []).filter(
        ({ name, labels }) => name.endsWith(suffix) && labels['operation'] === operation,
      );
    for (const operation of new Set(metric?.samples.map(({ labels }) => labels['operation'] ?? ''))) {
      const buckets = of(operation, '_bucket');
      const bounds = buckets.map(({ labels }) => Number(labels['le']?.replace('+Inf', 'Infinity')));
      expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
      expect(bounds.at(-1)).toBe(Infinity);
      const counts = buckets.map(({ value }) => value);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(of(operation, '_count').map(({ value }) => value)).toEqual([counts.at(-1)]);
      expect(of(operation, '_sum')).toHaveLength(1);
    }
    expect(of('viewer', '_count')[0]?.value).toBeGreaterThan(0);
  });

  test('is open to this machine; a proxy’s caller needs an ADMIN’s token', async () => {
    expect((await get()).status).toBe(200);
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const refused = await get(from);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await get({ ...from, authorization: 'Bearer x.y.z' })).status).toBe(401);
    expect((await get({ ...from, authorization: `Bearer ${person.token}` })).status).toBe(403);
    expect((await get({ ...from, authorization: `Bearer ${admin.token}` })).status).toBe(200);
  });

  test('reads the stores once a second at most, however often it is asked', async () => {
    const times = await Promise.all(Array.from({ length: 50 }, () => scrape(url)));
    expect(new Set(times.map((values) => values['gjm_up{postgres}']))).toEqual(new Set([1]));
  });

  test.each(['postgres', 'redis'] as const)('goes on while %s is away, and says so', async (part) => {
    for (const act of ['cut', 'silence'] as const) {
      relays[part]?.[act]();
      const away = await until(`${part} is away`, async () => {
        const started = performance.now();
        const values = await scrape(url);
        expect(performance.now() - started).toBeLessThan(4_000);
        return values[`gjm_up{${part}}`] === 0 ? values : null;
      });
      const gone = part === 'postgres' ? 'gjm_jobs{queued}' : 'gjm_queue_entries{waiting}';
      expect(away[gone]).toBeUndefined();
      expect(away['gjm_sockets{open}']).toBe(0);
      relays[part]?.restore();
      await until(`${part} is back`, async () => (await scrape(url))[`gjm_up{${part}}`] === 1, 10_000);
    }
  });
});
