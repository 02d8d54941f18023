import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { budgetRules, parseLimits } from './budget-rules.js';

const schema = buildSchema(`
  type Query { jobs(first: Int): [Job!]!  login(name: String): Int }
  type Job { id: ID! job: Job jobs(first: Int): [Job!]! events(first: Int): [Job!]! }
`);

const codesOf = (query: string): unknown[] =>
  validate(schema, parse(query, parseLimits), [...specifiedRules, ...budgetRules]).map(
    ({ extensions }) => extensions['code'],
  );

const nested = (depth: number): string => (depth === 0 ? 'id' : `job { ${nested(depth - 1)} }`);

describe('budgets of a document', () => {
  test('an ordinary page passes', () => {
    expect(codesOf('query ($n: Int) { jobs(first: $n) { id job { id job { id } } } }')).toEqual([]);
  });

  test('depth is limited', () => {
    expect(codesOf(`{ jobs { ${nested(30)} } }`)).toEqual(['BUDGET_EXCEEDED']);
  });

  test('depth is limited through fragments', () => {
    const fragments = Array.from(
      { length: 20 },
      (_, i) => `fragment F${i} on Job { job { ...F${i + 1} } }`,
    ).join(' ');
    expect(codesOf(`{ jobs { ...F0 } } ${fragments} fragment F20 on Job { id }`)).toContain(
      'BUDGET_EXCEEDED',
    );
  });

  test('two hundred aliases of one field are refused', () => {
    const aliases = Array.from({ length: 200 }, (_, i) => `a${i}: login`).join(' ');
    expect(codesOf(`{ ${aliases} }`)).toContain('BUDGET_EXCEEDED');
  });

  test('pages within pages multiply, by variable too', () => {
    expect(codesOf('{ jobs(first: 100) { jobs(first: 100) { jobs(first: 100) { id } } } }')).toEqual([
      'BUDGET_EXCEEDED',
    ]);
    expect(codesOf('query ($n: Int) { jobs(first: $n) { events(first: $n) { id } } }')).toEqual([
      'BUDGET_EXCEEDED',
    ]);
  });

  test('directives are limited', () => {
    const directives = Array.from({ length: 100 }, () => '@include(if: true)').join(' ');
    expect(codesOf(`{ login ${directives} }`)).toContain('BUDGET_EXCEEDED');
  });

  test('a fragment that spreads itself ends', () => {
    expect(codesOf('{ jobs { ...F } } fragment F on Job { job { ...F } }')).not.toHaveLength(0);
  });

  test('the parser stops at the first token too many', () => {
    expect(() => parse(`{ ${'id '.repeat(15_000)} }`, parseLimits)).toThrow(/tokens/);
  });
});
