import { createSignal } from 'solid-js';

/** What the reader chose; `system` follows the system, now and later. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const key = 'gjm-theme';
const isChoice = (value: string | null): value is 'light' | 'dark' => value === 'light' || value === 'dark';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const stored = localStorage.getItem(key);
const [choice, setChoice] = createSignal<ThemeChoice>(isChoice(stored) ? stored : 'system');
const [isSystemDark, setSystemDark] = createSignal(prefersDark.matches);
prefersDark.addEventListener('change', (event) => setSystemDark(event.matches));

function show(next: ThemeChoice): void {
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
}
show(choice());

export const themeChoice = choice;

export const isDark = (): boolean => (choice() === 'system' ? isSystemDark() : choice() === 'dark');

/** The choice is kept in this browser. */
export function chooseTheme(next: ThemeChoice): void {
  if (next === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, next);
  setChoice(next);
  show(next);
}
