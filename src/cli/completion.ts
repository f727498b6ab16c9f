import { Argument, type Command } from 'commander';
import { operatorOperations } from '#wire/operator-operations.ts';
import type { CommandEnvironment } from '../config/command-environment.ts';
import { wordsOf } from './server/operation-commands.ts';
import { flagOf, isFlag } from './server/parameters.ts';
import { LOCAL, readProfiles } from './server/target.ts';
import type { Terminal } from './terminal.ts';

type LocalName = { words: string; summary: string };

interface Candidate {
  value: string;
  about: string;
}

/**
 * The completions of the last word, one a line, each with its description behind a tab; none where a file name is expected.
 *
 * @param words behind `paytag`; the last one is being typed, and may be empty
 * @param local the commands that are not the operator API's
 */
export async function completionsOf(
  words: readonly string[],
  { configFolder }: CommandEnvironment,
  local: readonly LocalName[],
): Promise<string> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const names = before.filter((word) => !word.startsWith('-'));
  const candidates = [
    ...valuesBehind(before, await profileNames(before, configFolder)),
    ...(before.at(-1)?.startsWith('-') && takesValue(before)
      ? []
      : [...nextWords(names, local), ...flags(before, typed)]),
  ];
  const fitting = candidates.filter(({ value }) => value.startsWith(typed));
  return fitting.map(({ value, about }) => `${value}\t${about}\n`).join('');
}

const commands = (local: readonly LocalName[]): { words: string[]; about: string }[] => [
  ...operatorOperations.map((operation) => ({ words: wordsOf(operation), about: operation.summary })),
  ...local.map(({ words, summary }) => ({ words: words.split(' '), about: summary })),
];

/** The words that may follow in the name of a command. */
function nextWords(names: readonly string[], local: readonly LocalName[]): Candidate[] {
  const next = new Map<string, string[]>();
  for (const { words, about } of commands(local)) {
    if (words.length <= names.length || !names.every((name, at) => words[at] === name)) continue;
    const word = words[names.length] ?? '';
    const others = next.get(word) ?? [];
    next.set(word, [...others, words[names.length + 1] ?? about]);
  }
  return [...next].map(([value, about]) => ({ value, about: [...new Set(about)].join(', ') }));
}

/** The operation whose command the words are, with what follows it. */
const operationOf = (before: readonly string[]) => {
  const names = before.filter((word) => !word.startsWith('-')).join(' ');
  return operatorOperations.find((operation) => `${names} `.startsWith(`${wordsOf(operation).join(' ')} `));
};

const SHARED: readonly Candidate[] = [
  { value: '--json', about: 'the answer as the server gives it' },
  { value: '--profile', about: 'another server' },
  { value: '--help', about: 'options and examples' },
];

function flags(before: readonly string[], typed: string): Candidate[] {
  const operation = operationOf(before);
  if (operation === undefined || !typed.startsWith('-')) return [];
  const own = operation.parameters
    .filter((one) => one.in !== 'path')
    .map(({ name, description = '' }) => ({ value: `--${flagOf(name)}`, about: description }));
  const more = [
    ...(operation.cursor ? [{ value: '--all', about: 'every page' }] : []),
    ...(operation.csv ? [{ value: '--csv', about: 'a file' }] : []),
    ...(operation.irreversible === undefined ? [] : [{ value: '--yes', about: 'without asking' }]),
  ];
  return [...own, ...more, ...SHARED].filter(({ value }) => !before.includes(value));
}

const parameterBefore = (before: readonly string[]) =>
  operationOf(before)?.parameters.find((one) => one.in !== 'path' && `--${flagOf(one.name)}` === before.at(-1));

function takesValue(before: readonly string[]): boolean {
  const parameter = parameterBefore(before);
  return parameter === undefined ? /^--(profile|url|timeout|columns)$/.test(before.at(-1) ?? '') : !isFlag(parameter);
}

function valuesBehind(before: readonly string[], profiles: readonly string[]): Candidate[] {
  const ofCompletion = before.join(' ') === 'completion' ? shells : [];
  const values = [...(parameterBefore(before)?.values ?? []), ...profiles, ...ofCompletion];
  return values.map((value) => ({ value, about: '' }));
}

async function profileNames(before: readonly string[], folder: string | undefined): Promise<string[]> {
  if (before.at(-1) !== '--profile' && before.join(' ') !== 'profiles use') return [];
  const { profiles } = await readProfiles(folder).catch(() => ({ profiles: {} }));
  return [LOCAL, ...Object.keys(profiles)];
}

/** The scripts of shells: each calls "paytag complete" with the words so far. */
const scripts = {
  bash: `# paytag: source <(paytag completion bash)
_paytag() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(paytag complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _paytag paytag
`,
  zsh: `#compdef paytag
# source <(paytag completion zsh)
_paytag() {
  local line value about
  local -a candidates
  while IFS= read -r line; do
    [[ -z $line ]] && continue
    value=\${\${line%%$'\\t'*}//:/\\\\:} about=\${line#*$'\\t'}
    candidates+=("$value\${about:+:$about}")
  done < <(paytag complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe paytag candidates; else _files; fi
}
compdef _paytag paytag
`,
  fish: `# paytag completion fish | source
function __paytag_candidates
  set -l found (paytag complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test -n "$found"
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c paytag -f -a '(__paytag_candidates)'
`,
};

/** The shells that there is a script for. */
export const shells = Object.keys(scripts);

/** `paytag completion`: prints the script of a shell. */
export const addCompletion = (program: Command, terminal: Terminal): void =>
  void program
    .command('completion')
    .description(
      'print the script that completes commands, options and values in a shell: source <(paytag completion bash)',
    )
    .addArgument(new Argument('<shell>', 'which').choices(shells))
    .action((shell: keyof typeof scripts) => terminal.out(scripts[shell]));
