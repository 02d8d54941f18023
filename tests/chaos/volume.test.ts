import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobEvent, NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { faultsOfSequence } from '../support/sequence.js';
import { logOf, newUser, submitDiagnostic, watchToEnd } from '../support/user.js';

let client: NodeClient;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
});
afterAll(() => client.close());

test('20,000 lines arrive in order, each once, numbered as they were printed', async () => {
  const id = await submitDiagnostic(client, { logLines: 20_000 });
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  const lines = logOf(events).trimEnd().split('\n');
  expect(lines).toHaveLength(20_000);
  expect(lines.findIndex((line, index) => line !== `line ${index + 1}`)).toBe(-1);
  const chunks = events.flatMap((event) => (event.__typename === 'JobLogEvent' ? [event] : []));
  let next = 1;
  for (const chunk of chunks) {
    expect(chunk.firstLine).toBe(next);
    next += chunk.text.split('\n').length - 1;
  }
});

test('a reader that lags has every event in the end, and does not keep the others waiting', async () => {
  const id = await submitDiagnostic(client, { steps: 60, stepMs: 10, logLines: 2_000 });
  const slow: JobEvent[] = [];
  const reading = (async () => {
    for await (const event of client.watch(id)) {
      slow.push(event);
      await delay(20);
    }
  })();
  const fast = await watchToEnd(client, id);
  expect(slow.length).toBeLessThan(fast.length);
  await reading;
  expect(slow).toEqual(fast);
});

test('bytes that are no text, carriage returns and giant lines become text and end the job as it should', async () => {
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    Buffer.from('\nplain\r\n'),
    Buffer.from(Array.from({ length: 500 }, (_, step) => `\rstep ${step + 1}/500`).join('')),
    Buffer.from('\n€ 世界 😀\n'),
    Buffer.alloc(100_000, 'x'),
    Buffer.from('\nEND'),
  ]);
  const id = await submitDiagnostic(client, { logBytes: bytes.toString('base64') });
  const events = await watchToEnd(client, id);
  expect(faultsOfSequence(events)).toEqual([]);
  const text = logOf(events);
  expect(text).not.toContain('\0');
  expect(text).toContain('plain\n');
  expect(text).toContain('step 500/500\n');
  expect(text).not.toContain('step 499/500\n');
  expect(text).toContain('€ 世界 😀\n');
  expect(text.slice(-4)).toBe('\nEND');
  expect(
    text
      .split('\n')
      .filter((line) => /^x+$/.test(line))
      .join(''),
  ).toHaveLength(100_000);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(65_536);
});

test('100 watchers of one job see the same sequence', async () => {
  const id = await submitDiagnostic(client, { steps: 20, stepMs: 20 });
  const all = await Promise.all(Array.from({ length: 100 }, () => watchToEnd(client, id)));
  expect(faultsOfSequence(all[0]!)).toEqual([]);
  for (const events of all) expect(events).toEqual(all[0]);
});
