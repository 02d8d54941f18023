import { describe, expect, test } from '@jest/globals';
import { GraphQLError, parse } from 'graphql';
import { notFound } from '@gjm/core/errors.js';
import { formatError } from './format-error.js';

const format = (error: GraphQLError) => formatError(error, 'request-1');

describe('formatError', () => {
  test('an AppError keeps its code and message', () => {
    const error = new GraphQLError('wrapped', {
      originalError: notFound('There is no job with this id.'),
      path: ['job'],
    });
    expect(format(error)).toEqual({
      message: 'There is no job with this id.',
      path: ['job'],
      extensions: { code: 'NOT_FOUND', requestId: 'request-1' },
    });
  });

  test('an unknown error says nothing of itself', () => {
    const secret = new Error('SELECT password FROM users');
    const shown = format(new GraphQLError(secret.message, { originalError: secret, path: ['jobs'] }));
    expect(shown.extensions).toEqual({ code: 'INTERNAL', requestId: 'request-1' });
    expect(JSON.stringify(shown)).not.toMatch(/SELECT|stack/);
  });

  test('a non-null violation of a resolver is a bug, not the caller', () => {
    const error = new GraphQLError('Cannot return null for non-nullable field Job.id.', {
      path: ['job', 'id'],
    });
    expect(format(error).extensions?.['code']).toBe('INTERNAL');
  });

  test('syntax and validation errors are the caller’s', () => {
    let syntax: unknown;
    try {
      parse('{');
    } catch (error) {
      syntax = error;
    }
    expect(format(syntax as GraphQLError).extensions?.['code']).toBe('BAD_USER_INPUT');
    const validation = new GraphQLError('Unknown field', {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
    expect(format(validation).extensions?.['code']).toBe('BAD_USER_INPUT');
  });

  test('a database that is away is UNAVAILABLE, without its address', () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    const shown = format(new GraphQLError(away.message, { originalError: away, path: ['jobs'] }));
    expect(shown.extensions?.['code']).toBe('UNAVAILABLE');
    expect(shown.message).not.toContain('10.0.0.1');
  });

  test('extensions of a library do not get out', () => {
    const error = new GraphQLError('x', {
      extensions: { code: 'BAD_USER_INPUT', stacktrace: ['at x'], value: 'secret' },
    });
    expect(format(error).extensions).toEqual({ code: 'BAD_USER_INPUT', requestId: 'request-1' });
  });
});
