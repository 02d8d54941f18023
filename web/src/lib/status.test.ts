import { expect, test } from '@jest/globals';
import type { JobRow } from '@gjm/client/index.js';
import { lookOf } from './status.js';

const look = (job: object) => lookOf({ cancelRequestedAt: null, waiting: null, ...job } as JobRow);
const waitingFor = (code: string) => ({
  waiting: { position: 1, etaSeconds: null, reasons: [{ code, message: '' }] },
});

test('the shape tells what is not a status: that a job is blocked, or that a cancel was asked', () => {
  expect(look({ status: 'QUEUED', ...waitingFor('NO_MEMORY') })).toEqual({
    word: 'Queued',
    shape: 'blocked',
    tone: 'wait',
  });
  expect(look({ status: 'QUEUED', ...waitingFor('DISPATCHED') })).toMatchObject({ shape: 'queued' });
  expect(look({ status: 'RUNNING', cancelRequestedAt: 'now' })).toMatchObject({
    word: 'Running',
    shape: 'cancelling',
  });
});

test('a status of a newer server is shown by its name', () => {
  expect(look({ status: 'PAUSED' })).toMatchObject({ word: 'PAUSED', shape: 'unknown' });
});
