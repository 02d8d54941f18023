import { expect, test } from '@jest/globals';
import { auditOfAttempt } from './attempt-audit.js';

const row = (engine: string, code: string) => ({
  engine,
  offered: false,
  code,
  message: code,
  version: null,
});

test('each better engine of the plan has a coded reason, in the order of the plan', () => {
  const rows = [row('native', 'NATIVE_PKG_ABSENT'), row('cuda', 'DEVICE_IS_CPU')];
  const audit = auditOfAttempt(['cuda', 'webgpu', 'native', 'wasm', 'cpu'], 'wasm', rows);
  expect(audit.wantedEngine).toBe('cuda');
  expect(audit.usedEngine).toBe('wasm');
  expect(audit.skipped.map(({ engine, code }) => [engine, code])).toEqual([
    ['cuda', 'DEVICE_IS_CPU'],
    ['webgpu', 'NOT_OFFERED'],
    ['native', 'NATIVE_PKG_ABSENT'],
  ]);
});

test('nothing was skipped when the best one was used, whatever else the device lacks', () => {
  const audit = auditOfAttempt(['process'], 'process', [row('cuda', 'DEVICE_IS_CPU')]);
  expect(audit).toEqual({ wantedEngine: 'process', usedEngine: 'process', skipped: [] });
});
