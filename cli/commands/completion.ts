import type { Command } from 'commander';
import { usageError } from '../exit.js';
import type { Context } from '../context.js';
import type { AddCommand } from './command.js';

/** The words that may follow each command: `path` is empty for the program itself, `artifacts get` for a command of a group. */
interface Choice {
  path: string;
  words: string[];
}

function choicesOf(command: Command, path = ''): Choice[] {
  const options = command.options.flatMap(({ long, short }) => [long, short].filter((name) => name != null));
  const names = command.commands.map((sub) => sub.name());
  const below = command.commands.flatMap((sub) => choicesOf(sub, `${path} ${sub.name()}`.trim()));
  return [{ path, words: [...names, ...options, '--help'] }, ...below];
}

const groupsOf = (choices: readonly Choice[]): string[] =>
  choices
    .map(({ path }) => path)
    .filter((path) => choices.some((other) => other.path.startsWith(`${path} `)));

/** bash and zsh (through its bash completion) look the command up the same way. */
function bashScript(choices: readonly Choice[]): string {
  const groups = groupsOf(choices).filter(Boolean).join('|');
  const cases = choices.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`);
  return `_gjm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words=''
  if [ "$COMP_CWORD" -gt 1 ]; then
    path="\${COMP_WORDS[1]}"
    case "$path" in ${groups || '-'}) [ "$COMP_CWORD" -gt 2 ] && path="$path \${COMP_WORDS[2]}" ;; esac
  fi
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "\${#COMPREPLY[@]}" -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _gjm gjm`;
}

const zshScript = (choices: readonly Choice[]): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bashScript(choices)}`;

function fishScript(choices: readonly Choice[]): string {
  return choices
    .flatMap(({ path, words }) => {
      const [first, second] = path.split(' ');
      const seen = (word: string): string => `__fish_seen_subcommand_from ${word}`;
      const condition = !first
        ? '__fish_use_subcommand'
        : second
          ? `${seen(first)}; and ${seen(second)}`
          : seen(first);
      return `complete -c gjm -n '${condition}' -a '${words.join(' ')}'`;
    })
    .join('\n');
}

const scripts: Record<string, (choices: readonly Choice[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const addCompletion: AddCommand = (program, bind) => {
  const completion = async ({ output }: Context, shell: string): Promise<void> => {
    const script = scripts[shell];
    if (!script) throw usageError(`There is completion for bash, zsh and fish, not for "${shell}".`);
    await output.lines([script(choicesOf(program))]);
  };
  program
    .command('completion')
    .description('print a completion script, such as: source <(gjm completion bash)')
    .argument('<shell>', 'bash, zsh or fish')
    .action(bind(completion));
};
