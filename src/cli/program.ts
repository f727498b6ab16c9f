import { Command } from 'commander';
import { operatorOperations } from '#wire/operator-operations.ts';
import { version } from '../version.ts';
import { type LocalCommand, localCommands } from './local-commands.ts';
import { addOperation, type Ending, groupOf, wordsOf } from './server/operation-commands.ts';
import type { CommandDeps } from './server/run-operation.ts';

const ABOUT =
  'The operator’s command line. Commands of the operator API talk to a server: the one of "paytag login", or else the one on this machine. The others set up and look after an installation.';

const SERVERS = 'Servers:';
const INSTALLATION = 'This installation:';
const API = 'The operator API:';

/**
 * The program, with the commands that begin with the first of the given words; without such, with a line for each first word.
 *
 * @param args as they stand on the command line
 */
export async function programFor(args: readonly string[], deps: CommandDeps, ending: Ending): Promise<Command> {
  const program = new Command('paytag')
    .description(ABOUT)
    .version(version)
    .helpCommand(false)
    .helpOption('-h, --help', 'show this')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => deps.terminal.out(text),
      writeErr: (text) => deps.terminal.err(text),
      getOutHelpWidth: () => deps.terminal.columns ?? 100,
      getErrHelpWidth: () => deps.terminal.columns ?? 100,
    })
    .showSuggestionAfterError()
    .addHelpText('after', '\npaytag <command> --help shows its options and examples.');
  const [first = ''] = args;
  const operations = operatorOperations.filter(({ noun }) => noun === first);
  const locals = localCommands.filter(({ words }) => words.split(' ')[0] === first);
  if (operations.length === 0 && locals.length === 0) return withSummaries(program);
  for (const operation of operations) addOperation(program, operation, deps, ending);
  await addLocals(program, locals, args, deps);
  describeGroups(program);
  return program;
}

/** Loads those that are asked for; of the others, their names and what they do. */
async function addLocals(
  program: Command,
  locals: readonly LocalCommand[],
  args: readonly string[],
  deps: CommandDeps,
): Promise<void> {
  const given = args.join(' ');
  const asked = locals.filter(({ words }) => `${given} `.startsWith(`${words} `));
  const adding = new Set(asked.map(({ add }) => add));
  for (const add of adding) {
    const { words } = asked.find((one) => one.add === add) ?? { words: '' };
    const [first = '', second] = words.split(' ');
    const parent = second === undefined || first === 'profiles' ? program : groupOf(program, first);
    await add(parent, deps);
    inherit(parent);
  }
  for (const { words, summary, add } of locals) {
    const path = words.split(' ');
    const last = path.pop() ?? '';
    if (adding.has(add) || (path.length > 0 && path[0] === 'profiles')) continue;
    const parent = path.reduce(groupOf, program);
    if (!parent.commands.some((one) => one.name() === last)) parent.command(last).description(summary);
  }
}

/** Commands that were made apart end and print as the program does. */
function inherit(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inherit(command);
  }
}

/** A group is described by the commands in it. */
function describeGroups(command: Command): void {
  for (const one of command.commands) describeGroups(one);
  if (command.commands.length > 0 && command.description() === '') {
    command.description(command.commands.map((one) => one.name()).join(', '));
  }
}

/** A line for each first word: for nobody who asks for one of them. */
function withSummaries(program: Command): Command {
  const nouns = Map.groupBy(operatorOperations, ({ noun }) => noun);
  program.commandsGroup(API);
  for (const [noun, operations] of [...nouns].toSorted(([a], [b]) => a.localeCompare(b))) {
    const verbs = new Set(operations.map((one) => wordsOf(one)[1]));
    const [only] = operations;
    program.command(noun).description(verbs.has(undefined) ? (only?.summary ?? '') : [...verbs].join(', '));
  }
  for (const { words, summary } of localCommands) {
    const [first = '', second] = words.split(' ');
    if (nouns.has(first)) continue;
    if (second !== undefined && first === 'profiles') continue;
    program.commandsGroup(['login', 'logout', 'profiles', 'completion'].includes(first) ? SERVERS : INSTALLATION);
    const group = groupOf(program, first);
    group.description(second === undefined ? summary : [group.description(), second].filter(Boolean).join(', '));
  }
  return program;
}
