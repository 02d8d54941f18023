import { expect, test } from '@jest/globals';
import { diagnostic } from '@gjm/core/workload/diagnostic.js';
import { modelTrain } from '@gjm/core/workload/model-train.js';
import { processRun } from '@gjm/core/workload/process-run.js';
import { isKindEnabled, type ProgramUsers } from './enabled-kinds.js';

const viewer = { id: 'usr_1', email: 'Ann@example.com', name: 'Ann', role: 'ADMIN' } as const;

test.each<[ProgramUsers, boolean]>([
  ['off', false],
  ['all', true],
  [new Set(['ann@example.com']), true],
  [new Set(['bob@example.com']), false],
])('with programs allowed for %s an administrator named Ann may run them: %s', (programUsers, answer) => {
  const rules = { diagnosticJobs: false, programUsers };
  expect(isKindEnabled(processRun, viewer, rules)).toBe(answer);
  expect(isKindEnabled(processRun, null, rules)).toBe(false);
  expect(isKindEnabled(modelTrain, viewer, rules)).toBe(true);
  expect(isKindEnabled(diagnostic, viewer, rules)).toBe(false);
});
