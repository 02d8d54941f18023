const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const two = (value: number): string => String(value).padStart(2, '0');

/** How long ago, in one unit: `3 s`, `12 m`, `5 h`, `3 d`. Never negative: clocks differ by a little. */
export function ageOf(ms: number): string {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} m`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

/** A span as a timer shows it: `0:06`, `15:19`, `2:05:09`. */
export function timerOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / second));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A span that is over, in words: `0.8 s`, `4 min 12 s`, `2 h 5 min`. */
export function spanOf(ms: number): string {
  if (ms < minute) return `${(Math.max(0, ms) / second).toFixed(1)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min ${Math.floor((ms % minute) / second)} s`;
  return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`;
}

/** An estimate, which says that it is one: `≈ 8 s`, `≈ 14 min`. */
export function estimateOf(seconds: number): string {
  if (seconds < 90) return `≈ ${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5_400) return `≈ ${Math.round(seconds / 60)} min`;
  return `≈ ${Math.round(seconds / 3_600)} h`;
}

/** Wall clock to the second, in the reader's zone. */
export function clockOf(time: number | string): string {
  const date = new Date(time);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Day and wall clock to the second, in the reader's zone: `2026-01-31 13:05:09`. */
export function momentOf(time: string): string {
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${clockOf(time)}`;
}
