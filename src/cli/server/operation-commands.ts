import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OperatorOperation, Parameter } from '#wire/operator-operations.ts';
import { CommandFailure } from '../terminal.ts';
import { flagOf, isFlag, optionsOf } from './parameters.ts';
import { type CommandDeps, patienceFor, runOperation } from './run-operation.ts';

/** A command line of an operation, as its examples in the OpenAPI document have it: what it needs, and for a list a filter. */
export function exampleOf({ noun, verb, parameters, kinds, list }: OperatorOperation): string[] {
  const inPath = parameters.filter((one) => one.in === 'path');
  const kind = kinds?.values[0];
  const needed = parameters.filter(
    ({ in: place, required, requiredOf = [] }) => place !== 'path' && (required || requiredOf.includes(kind ?? '')),
  );
  const filter = list ? parameters.find((one) => one.in === 'query' && one.values !== undefined) : undefined;
  const options = filter === undefined ? needed : [...needed, filter];
  return [
    ...noun.split(' '),
    ...verb.split(' ').filter((word) => word !== ''),
    ...inPath.map(valueOf),
    ...options.flatMap((one) => optionWords(one, kinds?.by === one.name ? kind : undefined)),
  ];
}

const optionWords = (parameter: Parameter, kind: string | undefined): string[] =>
  isFlag(parameter) ? [`--${flagOf(parameter.name)}`] : [`--${flagOf(parameter.name)}`, kind ?? valueOf(parameter)];

/** The example of a parameter; its name in capitals where it has none. */
function valueOf({ name, example, items }: Parameter): string {
  if (example === undefined) return (name.split('.').at(-1) ?? name).replaceAll(/[A-Z]/g, '_$&').toUpperCase();
  if (Array.isArray(example) && items !== 'json') return example.map(String).join(',');
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** Words as a shell takes them. */
const quoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

/** Where a command keeps its exit code until the program ends. */
export interface Ending {
  exitCode: number;
}

/** Adds the command of an operation to the program, under the words of its name. */
export function addOperation(
  program: Command,
  operation: OperatorOperation,
  deps: CommandDeps,
  ending: Ending,
): Command {
  const words = wordsOf(operation);
  const last = words.pop() ?? '';
  const command = words.reduce(groupOf, program).command(last).summary(operation.summary);
  command.description([operation.summary, operation.description].filter((text) => text !== undefined).join('. '));
  for (const { name, description } of operation.parameters.filter((one) => one.in === 'path')) {
    command.argument(`<${flagOf(name)}>`, description ?? '');
  }
  for (const parameter of operation.parameters.filter((one) => one.in !== 'path')) {
    const isFile = FILES[operation.operationId]?.[0] === parameter.name;
    for (const option of optionsOf(parameter)) command.addOption(isFile ? option.makeOptionMandatory(false) : option);
  }
  if (operation.operationId in FILES) command.option('--file <path>', 'the file to send; - for standard input');
  addCommonOptions(command, operation);
  if (operation.operationId in IN_DATABASE) {
    command
      .option('--database', 'without a server, on the database of this installation')
      .option('--whole', 'the same for everything, however long it takes');
  }
  command.addHelpText('after', `\n${notesOf(operation)}`);
  command.action(async () => {
    const options = { ...command.opts(), ...(await contentOf(operation, command.opts(), deps)) };
    const { database, whole } = command.opts();
    const direct = database === true || whole === true ? IN_DATABASE[operation.operationId] : undefined;
    if (direct === undefined) ending.exitCode = await runOperation(operation, { args: command.args, options }, deps);
    else ending.exitCode = await direct(command.opts(), deps);
  });
  return command;
}

/** The words of an operation's command. */
export const wordsOf = ({ noun, verb }: OperatorOperation): string[] => `${noun} ${verb}`.trim().split(' ');

/** The command of that name under another, made when there is none. */
export const groupOf = (parent: Command, word: string): Command =>
  parent.commands.find((one) => one.name() === word) ?? parent.command(word).helpCommand(false);

/** Operations that can be done without a server, for when there is none. */
const IN_DATABASE: Readonly<
  Record<string, (options: { since?: string; whole?: boolean; json?: boolean }, deps: CommandDeps) => Promise<number>>
> = {
  checkLedger: async (options, { terminal }) => {
    const { checkDatabase } = await import('../ledger.ts');
    return checkDatabase(options, terminal);
  },
};

/** Operations that are sent a file: the member for its bytes in base64, and the one that says so. */
const FILES: Readonly<Record<string, readonly [content: string, encoding: string]>> = {
  importBankFile: ['content', 'encoding'],
};

async function contentOf(
  { operationId }: OperatorOperation,
  { file, ...given }: { file?: string; content?: string },
  { terminal }: CommandDeps,
): Promise<Record<string, string>> {
  const members = FILES[operationId];
  if (members === undefined || (file === undefined && given.content !== undefined)) return {};
  if (file === undefined) throw new CommandFailure('usage', 'error: which file? give --file');
  const [content, encoding] = members;
  const bytes = file === '-' ? Buffer.from(await terminal.readAll()) : await bytesIn(file);
  return { [content]: bytes.toString('base64'), [encoding]: 'base64' };
}

const bytesIn = (file: string): Promise<Buffer> =>
  readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandFailure('usage', `error: ${file} cannot be read (${cause.code})`, { cause });
  });

function addCommonOptions(command: Command, operation: OperatorOperation): void {
  const { list, cursor, csv, irreversible, idempotencyKey } = operation;
  command.optionsGroup('Output:').option('--json', 'the answer as the server gives it');
  if (csv) command.addOption(new Option('--csv', 'a file of comma-separated values').conflicts('json'));
  if (cursor) command.option('--all', 'every page; with --json a line for each item');
  if (list)
    command.option('--columns <names>', 'these columns alone, as the API names them', (text) => text.split(','));
  command.option('--wide', 'every column, and no text cut short').option('--utc', 'times in UTC');
  command.optionsGroup('Sending:');
  if (irreversible !== undefined) command.option('--yes', 'do it without asking: it cannot be undone');
  if (idempotencyKey) command.option('--idempotency-key <key>', 'sent again under the same key, it is done once');
  command
    .option('--timeout <seconds>', 'how long to wait for an answer', seconds, patienceFor(operation))
    .option('--profile <name>', 'the server and the operator of "paytag login --profile"')
    .option('--url <url>', 'this server, with PAYTAG_TOKEN or the token of its profile')
    .option('--allow-http', 'send the token to another machine in the clear');
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

function notesOf(operation: OperatorOperation): string {
  const { method, path, role, irreversible, waits, cursor, csv, noun, verb } = operation;
  const example = `paytag ${quoted(exampleOf(operation))}`;
  const file = `paytag ${noun} ${verb} --csv${cursor ? ' --all' : ''} > ${noun}.csv`;
  const needsMore = operation.parameters.some((one) => one.in === 'path');
  const lines = [
    'Examples:',
    `  ${example}`,
    ...(csv && !needsMore ? [`  ${file}`] : []),
    ...(cursor && !csv ? [`  paytag ${noun} ${verb} --all --json | head`] : []),
    '',
    `Needs the role ${role}${role === 'admin' ? '' : ' or a higher one'}. ${method} /operator/v1${path}`,
  ];
  if (waits) lines.push('It may need another operator’s approval: then nothing is done yet, and the exit code is 5.');
  if (irreversible !== undefined) lines.push(`It cannot be undone. ${irreversible}`);
  return lines.join('\n');
}
