import { expect, test } from '@jest/globals';
import { BoundedQueue, OverflowError } from './bounded-queue.js';

test('hands out what it holds before the error it ended with', async () => {
  const queue = new BoundedQueue<number>(10);
  queue.push(1);
  queue.end(new Error('socket gone'));
  queue.push(2);
  expect(await queue.next()).toEqual({ done: false, value: 1 });
  await expect(queue.next()).rejects.toThrow('socket gone');
});

test('wakes a waiting reader', async () => {
  const queue = new BoundedQueue<number>(10);
  const next = queue.next();
  queue.push(5);
  expect(await next).toEqual({ done: false, value: 5 });
  const end = queue.next();
  queue.end();
  expect((await end).done).toBe(true);
});

test('ends with an overflow at one item too many, after the items it may hold', async () => {
  const queue = new BoundedQueue<number>(2);
  for (const item of [1, 2, 3, 4]) queue.push(item);
  expect([(await queue.next()).value, (await queue.next()).value]).toEqual([1, 2]);
  await expect(queue.next()).rejects.toBeInstanceOf(OverflowError);
});
