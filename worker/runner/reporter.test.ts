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

test('a fast loop sends its latest progress at most every 10 ms, and the last one always', () => {
  const { clock, sent, reporter } = reporterAt();
  for (let step = 1; step <= 100; step++) {
    reporter.progress({ step, total: 100 });
    reporter.beat();
    clock.ms += 1;
  }
  reporter.flush();
  reporter.flush();
  const steps = sent.map((message) => (message.type === 'progress' ? message.step : null));
  expect(steps).toEqual([1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 100]);
  expect(sent.at(-1)).toMatchObject({ fraction: 1, message: null, etaSeconds: null });
});

test('metrics are never dropped, and numbers without a form in JSON say what they are', () => {
  const { sent, reporter } = reporterAt();
  for (const value of [0.5, NaN, Infinity, -Infinity]) reporter.metric('loss', value, 3);
  expect(sent).toEqual([
    { type: 'metric', name: 'loss', step: 3, value: 0.5, special: null },
    { type: 'metric', name: 'loss', step: 3, value: null, special: 'NaN' },
    { type: 'metric', name: 'loss', step: 3, value: null, special: 'Infinity' },
    { type: 'metric', name: 'loss', step: 3, value: null, special: '-Infinity' },
  ]);
});
