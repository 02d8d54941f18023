import { expect, test } from '@jest/globals';
import { createLogger } from './logger.js';

test.each([
  'authorization',
  'cookie',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'claimKey',
])('the value of %s never reaches a line, wherever in what is logged it stands', (name) => {
  const lines: string[] = [];
  const log = createLogger('box', { write: (line: string) => void lines.push(line) });
  const value = 'do not tell';
  log.warn({ [name]: value, request: { [name]: value, headers: { [name]: value } }, jobId: 'job_1' }, 'said');
  log.child({ [name]: value }).error({ err: Object.assign(new Error('x'), { [name]: value }) }, 'said again');
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain(value);
  expect(JSON.parse(lines[0]!)).toMatchObject({ jobId: 'job_1', msg: 'said', [name]: '[secret]' });
});
