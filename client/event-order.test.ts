import { expect, test } from '@jest/globals';
import { EventOrder } from './event-order.js';

/** Every order of the numbers. */
function* permutations(numbers: number[]): Generator<number[]> {
  if (numbers.length < 2) yield numbers;
  else
    for (const [at, first] of numbers.entries())
      for (const rest of permutations(numbers.toSpliced(at, 1))) yield [first, ...rest];
}

test('in any order of arrival, what is taken as next is the true sequence, each number once', () => {
  for (const arrival of permutations([1, 2, 3, 4, 5, 6])) {
    const order = new EventOrder(0);
    const taken: number[] = [];
    // What did not fit comes again, as a server that is asked anew sends it.
    while (taken.length < 6)
      for (const sequence of arrival)
        if (order.placeOf(sequence) === 'next') {
          order.advance(sequence);
          taken.push(sequence);
        }
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
  }
});

test('a resent or late event is old, a number beyond the next is a gap', () => {
  const order = new EventOrder(7);
  expect([1, 7, 8, 9].map((sequence) => order.placeOf(sequence))).toEqual(['old', 'old', 'next', 'gap']);
});

test('an allowed gap moves the place forward and never back', () => {
  const order = new EventOrder(0);
  order.advance(40);
  order.advance(12);
  expect([order.last, order.placeOf(40), order.placeOf(41)]).toEqual([40, 'old', 'next']);
});
