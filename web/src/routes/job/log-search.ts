import { createEffect, createSignal, on, onCleanup, untrack, type Accessor } from 'solid-js';
import type { LogBook } from './log-book.js';

/** More matches than this are not stepped through. */
const atMost = 10_000;
/** Time for searching before the page is let go on, in ms. */
const sliceMs = 12;
/** Typing rests so long before the search begins, in ms. */
const typedMs = 150;
/** And so long after more was logged. */
const againMs = 1_000;

/** Collects matches in slices, with a rest between them; `done` is called once unless another search begins before. */
function createSlices() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  onCleanup(stop);
  const after = (ms: number, act: () => void): void => {
    stop();
    timer = setTimeout(act, ms);
  };
  const collect = (matches: Iterator<number[], void>, done: (all: number[]) => void): void => {
    let all: number[] = [];
    const slice = (): void => {
      const until = performance.now() + sliceMs;
      while (performance.now() < until) {
        const next = matches.next();
        if (next.value) all = all.concat(next.value);
        if (!next.done && all.length < atMost) continue;
        done(all.slice(0, atMost));
        return;
      }
      after(0, slice);
    };
    slice();
  };
  return { stop, after, collect };
}

/** Lines that contain what was typed, found in slices so that the page never stands still. */
export function createLogSearch(book: Accessor<LogBook>, show: (index: number) => void) {
  const [words, setWords] = createSignal('');
  const [found, setFound] = createSignal<readonly number[]>([]);
  const [at, setAt] = createSignal(0);
  const slices = createSlices();
  const goTo = (place: number): void => {
    const count = found().length;
    if (count === 0) return;
    const next = (place + count) % count;
    setAt(next);
    show(found()[next] ?? 0);
  };
  const search = (isNew: boolean): void =>
    slices.collect(untrack(book).find(words()), (all) => {
      setFound(all);
      if (isNew) goTo(0);
    });
  createEffect(
    on(words, (text) => {
      slices.stop();
      if (text.trim() === '') setFound([]);
      else slices.after(typedMs, () => search(true));
    }),
  );
  // What comes while a search stands is searched too, but does not move the reader.
  createEffect(
    on(book, () => untrack(words).trim() !== '' && slices.after(againMs, () => search(false)), {
      defer: true,
    }),
  );
  const says = (): string => {
    if (words().trim() === '') return '';
    const count = found().length;
    if (count === 0) return 'not found';
    return `${at() + 1} of ${count === atMost ? '10,000+' : count.toLocaleString('en')}`;
  };
  return {
    setWords,
    next: () => goTo(at() + 1),
    previous: () => goTo(at() - 1),
    /** The line that was found last; null for none. */
    current: () => found()[at()] ?? null,
    says,
  };
}
