import { expect, test } from '@jest/globals';
import { Rests } from './rests.js';

test('a rest ends when somebody hurries, and a stop still stops it', async () => {
  const rests = new Rests();
  const stop = new AbortController();
  const long = rests.pause(60_000, stop.signal);
  rests.hurry();
  await long;
  const stopped = rests.pause(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
});
