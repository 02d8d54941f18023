import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { cloneRoot } from '@gjm/stack/clone.js';
import { programFolders } from './environment.js';

/** A line of a document's shell blocks. */
export interface DocumentedCommand {
  document: string;
  command: string;
  /** The block says before it that it, and what follows in the block, was not run. */
  isNotRun: boolean;
}

/** Every document that people read, by its path in the clone. */
export const documents: string[] = [
  ...['README.md', 'tests/README.md', 'bench/results/README.md'],
  ...readdirSync(join(cloneRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .sort(),
];

/** The commands of a document, without their comments. */
export function commandsOf(document: string): DocumentedCommand[] {
  const text = readFileSync(join(cloneRoot, document), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, block = '']) => {
    let isNotRun = false;
    return block.split('\n').flatMap((line) => {
      isNotRun ||= /^# Not run\b/.test(line);
      const command = line.replace(/(^|\s+)# .*$/, '').trim();
      return command === '' ? [] : [{ document, command, isNotRun }];
    });
  });
}

/** The one command of a document that has this form. */
export function commandOf(document: string, form: RegExp): string {
  const found = commandsOf(document).filter(({ command, isNotRun }) => !isNotRun && form.test(command));
  if (found.length !== 1) throw new Error(`${document} has ${found.length} commands of the form ${form}.`);
  return found[0]!.command;
}

/** A person's shell in a folder of its own, where `gjm` and `npx gjm` are the clone's command and speak to one server. */
export class DocumentsShell {
  /** The newest job that a command spoke of: what `job_…` stands for. */
  #jobId = '';

  private constructor(
    readonly folder: string,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  static async open(url: string, token: string): Promise<DocumentsShell> {
    const folder = await mkdtemp(join(tmpdir(), 'gjm-commands-'));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const gjm = join(cloneRoot, 'cli', 'bin', 'gjm.mjs');
    await writeFile(join(bin, 'gjm'), `#!/bin/sh\nexec '${process.execPath}' '${gjm}' "$@"\n`);
    await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n');
    for (const name of ['gjm', 'npx']) await chmod(join(bin, name), 0o755);
    const path = [bin, ...programFolders()].join(delimiter);
    return new DocumentsShell(folder, { PATH: path, HOME: folder, GJM_URL: url, GJM_TOKEN: token });
  }

  /** What a command wrote; fails when it does. */
  async run(command: string): Promise<string> {
    const { folder: cwd, env } = this;
    const child = spawn('sh', ['-c', command.replaceAll('job_…', this.#jobId)], { cwd, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    this.#jobId = [...output.matchAll(/job_[0-9a-z]{26}/g)].at(-1)?.[0] ?? this.#jobId;
    if (code !== 0) throw new Error(`${command} ended with ${String(code)}:\n${output}`);
    return output;
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
