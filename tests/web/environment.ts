import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser that tests drive: `CHROMIUM_PATH`, else the first one on PATH. */
export function chromiumPath(): string {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = [
    ...(given ? [given] : []),
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ].find(canRun);
  if (!found)
    throw new Error(
      'The page is tested in Chromium: `apt-get install chromium`, or set CHROMIUM_PATH to one.',
    );
  return found;
}
