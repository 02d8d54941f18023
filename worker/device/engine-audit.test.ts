import { expect, test } from '@jest/globals';
import { engineAuditOf } from './engine-audit.js';

const cpu = { kind: 'CPU', engines: 'native,wasm,cpu' } as const;
const gpu = { kind: 'GPU', engines: 'cuda,webgpu' } as const;
const absent = { offered: false, code: 'CUDA_PKG_ABSENT', message: 'not set up', version: null };
const reasons = (rows: ReturnType<typeof engineAuditOf>) => rows.map(({ engine, code }) => [engine, code]);

test('each engine that a device does not offer has a reason, best first: its own word where it was tried', () => {
  const tried = [{ ...absent, engine: 'native', code: 'NATIVE_PKG_ABSENT' }];
  expect(reasons(engineAuditOf(cpu, tried, 'wasm'))).toEqual([
    ['cuda', 'DEVICE_IS_CPU'],
    ['webgpu', 'DEVICE_IS_CPU'],
    ['native', 'NATIVE_PKG_ABSENT'],
    ['cpu', 'NOT_NEEDED'],
  ]);
  expect(reasons(engineAuditOf(gpu, [{ ...absent, engine: 'cuda' }], null))).toEqual([
    ['cuda', 'CUDA_PKG_ABSENT'],
    ['webgpu', 'NOT_TRIED'],
    ['native', 'DEVICE_IS_GPU'],
    ['wasm', 'DEVICE_IS_GPU'],
    ['cpu', 'DEVICE_IS_GPU'],
  ]);
});

test('a device that a setting for tests makes compute with another engine says so', () => {
  const rows = engineAuditOf({ ...gpu, engines: 'wasm', diagnosticEngine: 'wasm' }, [], 'wasm');
  expect(rows).toHaveLength(4);
  expect(rows.every(({ code }) => code === 'DIAGNOSTIC_ENGINE')).toBe(true);
});
