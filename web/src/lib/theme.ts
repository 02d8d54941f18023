import { createSignal } from 'solid-js';

type Theme = 'light' | 'dark';

const key = 'gjm-theme';
const isTheme = (value: string | null): value is Theme => value === 'light' || value === 'dark';
const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

const stored = localStorage.getItem(key);
const [theme, setTheme] = createSignal<Theme>(isTheme(stored) ? stored : system());
if (isTheme(stored)) document.documentElement.dataset['theme'] = stored;

export { theme };

/** The system's choice holds until the reader makes one; that one is kept. */
export function switchTheme(): void {
  const next = theme() === 'dark' ? 'light' : 'dark';
  localStorage.setItem(key, next);
  document.documentElement.dataset['theme'] = next;
  setTheme(next);
}
