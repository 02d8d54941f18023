import { expect, test } from '@jest/globals';
import { type FromRunner, fromRunnerSchema } from '@gjm/core/wire/ipc.js';
import { createReporter } from './reporter.js';

function reporterAt() {
  const clock = { ms: 0 };
  const sent: FromRunner[] = [];
  const reporter = createReporter(
    (message) => void sent.push(fromRunnerSchema.parse(message)),
    () => clock.ms,
  );
  return { clock, sent, reporter };
}

test('a fast loop sends its latest progress at most every 50 ms, and the last one always', () => {
  const { clock, sent, reporter } = reporterAt();
  for (let step = 1; step <= 250; step++) {
    reporter.progress({ step, total: 250 });
    reporter.beat();
    clock.ms += 1;
  }
  reporter.flush();
  reporter.flush();
  const steps = sent.map((message) => (message.type === 'progress' ? message.step : null));
  expect(steps).toEqual([1, 51, 101, 151, 201, 250]);
  expect(sent.at(-1)).toMatchObject({ fraction: 1, message: null, etaSeconds: null });
});

test('numbers without a form in JSON say what they are', () => {
  const { sent, reporter } = reporterAt();
  for (const value of [0.5, NaN, Infinity, -Infinity]) reporter.metric('loss', value, 3);
  reporter.flush();
  const metric = { name: 'loss', step: 3, value: null };
  expect(sent).toEqual([
    {
      type: 'metrics',
      metrics: [
        { ...metric, value: 0.5, special: null },
        { ...metric, special: 'NaN' },
        { ...metric, special: 'Infinity' },
        { ...metric, special: '-Infinity' },
      ],
    },
  ]);
});

test('metrics are never dropped, and a fast loop sends many in one message', () => {
  const { clock, sent, reporter } = reporterAt();
  for (let step = 1; step <= 1_000; step++) {
    reporter.metric('loss', 1, step);
    reporter.beat();
    clock.ms += 1;
  }
  for (let step = 1_001; step <= 2_000; step++) reporter.metric('loss', 1, step);
  reporter.flush();
  const steps = sent.flatMap((message) =>
    message.type === 'metrics' ? message.metrics.map((metric) => metric.step) : [],
  );
  expect(steps).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 1));
  expect(sent.length).toBeLessThan(30);
});
