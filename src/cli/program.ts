import { Command } from 'commander';
import { operatorOperations } from '#wire/operator-operations.ts';
import { version } from '../version.ts';
import { addOperation, type Ending, groupOf, wordsOf } from './server/operation-commands.ts';
import type { CommandDeps } from './server/run-operation.ts';

const ABOUT =
  'The operator’s command line. Commands of the operator API call a server: the one of "paytag login", or else the one on this machine. The others set up and maintain an installation.';

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
    .helpOption('-h, --help', 'show this help')
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

/** Loads the commands that are called, and lists the others with their summaries. */
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

/** Lets commands from other files exit and print as the program does. */
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

/** The help without a command: a line for each first word. */
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

/** A command that is not an operation of the operator API. Loaded when it is called, because its room may load slowly. */
export interface LocalCommand {
  /** The words of its name. */
  words: string;
  summary: string;
  /** Adds it, with those of its kind, to the command that it stands under, or else to the program. */
  add: (parent: Command, deps: CommandDeps) => Promise<void>;
}

const addConfig: LocalCommand['add'] = async (parent) => void (await import('./setup.ts')).addConfigCommands(parent);
const addSeals: LocalCommand['add'] = async (parent) => (await import('./ledger.ts')).addSealCommands(parent);
const addDataKeys: LocalCommand['add'] = async (parent) => (await import('./keys.ts')).addDataKeyCommands(parent);
const addProfiles: LocalCommand['add'] = async (parent, deps) =>
  (await import('./server/login.ts')).addProfiles(parent, deps);

/** All of them, in the order of the help. */
export const localCommands: readonly LocalCommand[] = [
  {
    words: 'login',
    summary: 'save the URL of a server and your token there',
    add: async (program, deps) => (await import('./server/login.ts')).addLogin(program, deps),
  },
  {
    words: 'logout',
    summary: 'forget a server and the token',
    add: async (program, deps) => (await import('./server/login.ts')).addLogout(program, deps),
  },
  { words: 'profiles', summary: 'list the servers you have logged in to', add: addProfiles },
  { words: 'profiles use', summary: 'choose the server that commands call', add: addProfiles },
  {
    words: 'completion',
    summary: 'print the completion script for bash, zsh or fish',
    add: async (program, { terminal }) => (await import('./completion.ts')).addCompletion(program, terminal),
  },
  {
    words: 'migrate',
    summary: 'apply the pending migrations, as the owner of the tables',
    add: async (program) => void program.addCommand((await import('./setup.ts')).migrateCommand()),
  },
  { words: 'config check', summary: 'check the variables as a server does at its start', add: addConfig },
  { words: 'config example', summary: 'print a .env for live, staging or the sandbox', add: addConfig },
  {
    words: 'health',
    summary: 'ask the server on this machine whether it is ready',
    add: async (program) => void program.addCommand((await import('./health.ts')).healthCommand()),
  },
  {
    words: 'secrets',
    summary: 'create the secrets of a new installation as files',
    add: async (program) => void program.addCommand((await import('./setup.ts')).secretsCommand()),
  },
  { words: 'keys data', summary: 'print the keys that encrypt stored values', add: addDataKeys },
  {
    words: 'keys rekey',
    summary: 'encrypt all stored values again with a new key, while the server runs',
    add: addDataKeys,
  },
  { words: 'keys destroy', summary: 'destroy retired keys that no stored value uses', add: addDataKeys },
  { words: 'keys rewrap', summary: 'wrap the keys with another root key', add: addDataKeys },
  { words: 'ledger seal', summary: 'seal each due hour and day of the books, and print the seals', add: addSeals },
  { words: 'ledger seal verify', summary: 'compare the books with a copy of their seals', add: addSeals },
  { words: 'ledger seals', summary: 'print every seal, to keep a copy elsewhere', add: addSeals },
  {
    words: 'listen',
    summary: 'receive, verify and print the webhooks of a partner',
    add: async (program) => void program.addCommand((await import('./listen.ts')).listenCommand()),
  },
];
