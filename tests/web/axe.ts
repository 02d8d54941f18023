import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What breaks a rule of axe on the page as it is, one line each. Colours alone depend on the theme. */
async function faultsNow(page: Page, rules: 'all' | 'colours'): Promise<string[]> {
  const only = rules === 'colours' ? ', runOnly: ["color-contrast"]' : '';
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ["violations"]${only} })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Waits until the page shows what it is about. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  await page.locator('.sk, .skrows').first().waitFor({ state: 'detached' });
};

const looks = [
  ['light', 1440, 'all'],
  ['dark', 1440, 'colours'],
  ['dark', 390, 'all'],
] as const;

/** What breaks a rule of axe on the page and the dialogs that are open on it, wide and narrow, light and dark, one line each. */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  await settled(page);
  await page.addScriptTag({ path: axePath });
  for (const [colorScheme, width, rules] of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const found = await faultsNow(page, rules);
    faults.push(...found.map((fault) => `${name}, ${colorScheme}, ${width} px: ${fault}`));
  }
  return faults;
}
