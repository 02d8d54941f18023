import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What a build file made without a container engine: the last stage's folder, and what its image would run there. */
export interface BuiltImage {
  root: string;
  workdir: string;
  env: Record<string, string>;
  command: string[];
  /** Its health check. */
  check: string[];
}

interface Stage extends BuiltImage {
  name: string;
}

/** One instruction with its arguments; lines that end in a backslash are joined. */
function readInstructions(path: string): [name: string, rest: string][] {
  const text = readFileSync(path, 'utf8').replace(/\\\n/g, ' ');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      return [name, rest];
    });
}

/**
 * Runs each RUN and COPY of a build file as a plain command, each stage in a folder of its own below `folder`. Only this project's forms:
 * FROM base or stage, WORKDIR, ENV name=value, COPY [--from=stage] sources target, RUN, HEALTHCHECK and CMD in JSON. `context` is what the build may see.
 */
export function runBuildFile(path: string, context: string, folder: string): BuiltImage {
  const stages: Stage[] = [];
  const current = (): Stage => stages.at(-1) as Stage;
  const place = (stage: Stage, target: string) => join(stage.root, resolve(stage.workdir, target));
  const acts: Record<string, (rest: string) => void> = {
    FROM(rest) {
      const [base = '', , name = `stage-${stages.length}`] = rest.split(/\s+/);
      const parent = stages.find((stage) => stage.name === base);
      const root = join(folder, name);
      mkdirSync(root, { recursive: true });
      if (parent) cpSync(parent.root, root, { recursive: true, verbatimSymlinks: true });
      stages.push({
        name,
        root,
        workdir: parent?.workdir ?? '/',
        env: { ...parent?.env },
        command: [],
        check: [],
      });
    },
    WORKDIR(rest) {
      current().workdir = resolve(current().workdir, rest);
      mkdirSync(place(current(), '.'), { recursive: true });
    },
    ENV(rest) {
      for (const pair of rest.split(/\s+/)) {
        const [name = '', ...value] = pair.split('=');
        current().env[name] = value.join('=');
      }
    },
    COPY(rest) {
      const words = rest.split(/\s+/);
      const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
      const target = words.pop() ?? '';
      const origin = stages.find((stage) => stage.name === from)?.root ?? context;
      for (const source of words) {
        const isInto = target.endsWith('/') && source !== '.';
        const to = join(place(current(), target), isInto ? (source.split('/').at(-1) ?? '') : '');
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(origin, source), to, { recursive: true, verbatimSymlinks: true });
      }
    },
    RUN(rest) {
      const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, ...current().env };
      execFileSync('/bin/sh', ['-c', rest], {
        cwd: place(current(), '.'),
        env: { HOME: folder, ...env },
        stdio: 'pipe',
      });
    },
    HEALTHCHECK: (rest) => void (current().check = JSON.parse(rest.replace(/^.*?CMD /, '')) as string[]),
    CMD: (rest) => void (current().command = JSON.parse(rest) as string[]),
  };
  for (const [name, rest] of readInstructions(path))
    if (!['USER', 'EXPOSE', 'VOLUME'].includes(name)) {
      const act = acts[name];
      if (!act) throw new Error(`${path}: ${name} is not known here.`);
      act(rest);
    }
  return current();
}
