import { readFileSync } from 'node:fs';

/** Settings that are secret or hold a secret: each may be given as the path of a file instead, in `<name>_FILE`. */
export const secretSettings = [
  'DATABASE_URL',
  'REDIS_URL',
  'GJM_SECRET',
  'GJM_WORKER_REDIS_URL',
  'GJM_BOOTSTRAP_INVITE',
  'GJM_BOOTSTRAP_WORKER_TOKEN',
  'GJM_S3_ACCESS_KEY_ID',
  'GJM_S3_SECRET_ACCESS_KEY',
] as const;

/** The variables with the content of secret files in place, blanks at its ends taken off. What can not be read is a problem in a sentence. */
export function readSecretFiles(
  variables: Record<string, string | undefined>,
  problems: string[],
): Record<string, string | undefined> {
  const read = { ...variables };
  for (const name of secretSettings) {
    const path = variables[`${name}_FILE`];
    if (path === undefined) continue;
    if (variables[name] !== undefined) problems.push(`${name}, ${name}_FILE: give one of them, not both`);
    else read[name] = contentOf(`${name}_FILE`, path, problems);
  }
  return read;
}

function contentOf(setting: string, path: string, problems: string[]): string | undefined {
  try {
    const content = readFileSync(path, 'utf8').trim();
    if (content === '') problems.push(`${setting}: ${path} is empty`);
    return content === '' ? undefined : content;
  } catch (error) {
    problems.push(
      `${setting}: ${path} can not be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    );
    return undefined;
  }
}
