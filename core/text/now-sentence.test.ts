import { expect, test } from '@jest/globals';
import { isBlocked, nowSentence, type ShownJob } from './now-sentence.js';

const at = '2026-01-01T00:00:00.000Z';
const now = Date.parse(at) + 6_000;
const job = (rest: Partial<ShownJob>): ShownJob =>
  ({
    status: 'QUEUED',
    statusReason: null,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    cancelRequestedAt: null,
    failure: null,
    progress: null,
    engine: null,
    waiting: null,
    ...rest,
  }) satisfies ShownJob;

test('a queued job says where it stands, why, and for how long', () => {
  const reasons = [
    { code: 'NO_MEMORY', message: 'needs 60 GB, no H100 has it free' },
    { code: 'QUOTA', message: 'quota' },
  ];
  const blocked = job({ waiting: { position: 3, etaSeconds: 840, reasons } });
  expect(nowSentence(blocked, now)).toMatchObject({
    text: '3rd in line: needs 60 GB, no H100 has it free (and 1 more)',
    end: '≈ 14 min',
    isWaiting: true,
  });
  expect(isBlocked(blocked)).toBe(true);
});

test('a job on its way does not look blocked', () => {
  const placed = job({
    waiting: { position: 1, etaSeconds: null, reasons: [{ code: 'DISPATCHED', message: 'Placed on a:0' }] },
  });
  expect(nowSentence(placed, now)).toMatchObject({ text: 'Placed on a:0', isWaiting: false });
  expect(isBlocked(placed)).toBe(false);
});

test('a running job says its progress, or that a cancel was asked', () => {
  const progress = { fraction: 0.62, step: 38, total: 61, message: null, etaSeconds: 3 };
  expect(nowSentence(job({ status: 'RUNNING', progress }), now)).toMatchObject({
    fraction: 0.62,
    text: '38 of 61',
    end: '≈ 3 s left',
  });
  const asked = job({ status: 'RUNNING', progress, cancelRequestedAt: at });
  expect(nowSentence(asked, now).text).toBe('Cancel asked 6 s ago');
});

test('an ended job says what it came to', () => {
  const failure = {
    code: 'OUT_OF_MEMORY',
    origin: 'DEVICE' as const,
    retryable: true,
    message: 'needs 51 GB',
  };
  expect(nowSentence(job({ status: 'FAILED', failure }), now)).toMatchObject({
    code: 'OUT_OF_MEMORY',
    text: 'needs 51 GB',
  });
  const done = job({
    status: 'SUCCEEDED',
    startedAt: at,
    finishedAt: '2026-01-01T00:00:34.300Z',
    engine: 'wasm',
  });
  expect(nowSentence(done, now).text).toBe('Done in 34.3 s on wasm');
});
