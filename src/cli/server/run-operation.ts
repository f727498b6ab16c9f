import { randomUUID } from 'node:crypto';
import type { OperatorOperation } from '#wire/operator-operations.ts';
import type { CommandEnvironment } from '../../config/command-environment.ts';
import type { Terminal } from '../terminal.ts';
import { CommandFailure, exitCodes } from '../terminal.ts';
import { printChecks, printTables, printWaiting, type Reading } from './answers.ts';
import { type Request, requestOf } from './parameters.ts';
import type { Answer, Send } from './send.ts';
import { isJsonObject, refusalOf } from './send.ts';
import { seenLines } from './table.ts';
import { type Target, targetOf } from './target.ts';

/** The dependencies of commands: the process's own, or a test's. */
export interface CommandDeps {
  terminal: Terminal;
  environment: CommandEnvironment;
  send: Send;
}

/** Options that every command of a server has in addition to those of its operation. */
export interface CommonOptions extends Reading {
  all?: boolean;
  yes?: boolean;
  profile?: string;
  url?: string;
  allowHttp?: boolean;
  idempotencyKey?: string;
  timeout: number;
}

/** Timeouts of operations that take longer than most. */
const LONG_S: Readonly<Record<string, number>> = { checkLedger: 600, getTrialBalance: 600, exportCustomer: 300 };
const PATIENCE_S = 30;
const TICK_MS = 1_000;
/** Rows of a table. */
const TABLE_MAX = 50_000;
const TOO_MANY = `More than ${TABLE_MAX} rows are too many for a table: --json, or --csv if there is one, prints them as they arrive.`;

/** The default timeout of an operation in seconds. */
export const patienceFor = ({ operationId }: OperatorOperation): number => LONG_S[operationId] ?? PATIENCE_S;

/**
 * Runs the operation of a command line, and prints the answer.
 *
 * @returns the exit code
 * @throws CommandFailure for everything that is not done
 */
export async function runOperation(
  operation: OperatorOperation,
  given: { args: readonly string[]; options: Readonly<Record<string, unknown>> },
  deps: CommandDeps,
): Promise<number> {
  const options = given.options as unknown as CommonOptions;
  const target = await targetOf(options, deps.environment);
  const request = requestOf(operation, given, moreOf(options, given.options['limit']));
  await assertMeant(operation, { options: given.options, target }, deps.terminal);
  const ask = callerOf(operation, { target, options }, deps);
  if (options.all === true) return await printAll(operation, { request, ask, options }, deps.terminal);
  return print(operation, await ask(request), options, deps.terminal);
}

/** Query parameters of common options: a file, or the largest pages. */
function moreOf({ csv, all }: CommonOptions, limit: unknown): Record<string, string> {
  if (csv === true) return { format: 'csv' };
  return all === true && limit === undefined ? { limit: '100' } : {};
}

/** Asks for confirmation before an irreversible operation; a script confirms with --yes. */
async function assertMeant(
  { irreversible, noun, verb }: OperatorOperation,
  { options, target }: { options: Readonly<Record<string, unknown>>; target: Target },
  terminal: Terminal,
): Promise<void> {
  if (irreversible === undefined || options['yes'] === true || options['dryRun'] === true) return;
  if (!terminal.isInteractive.in) {
    throw new CommandFailure('usage', `This cannot be undone: ${irreversible} Give --yes when you mean it.`);
  }
  const answer = await terminal.ask(
    `${noun} ${verb} at ${target.url} cannot be undone: ${irreversible}\nType "yes" to do it: `,
  );
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('usage', 'Nothing was done.');
}

type Caller = (request: Request) => Promise<Answer>;

/** Sends with the token, and under an Idempotency-Key where the operation takes one. */
function callerOf(
  { idempotencyKey, role }: OperatorOperation,
  { target, options }: { target: Target; options: CommonOptions },
  { send, terminal }: CommandDeps,
): Caller {
  return async ({ method, path, body }) => {
    const headers: Record<string, string> = { authorization: `Bearer ${target.token}`, accept: 'application/json' };
    if (options.csv === true) headers['accept'] = 'text/csv';
    if (idempotencyKey) headers['idempotency-key'] = options.idempotencyKey ?? randomUUID();
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined) headers['content-type'] = 'application/json';
    const url = `${target.url}/operator/v1${path}`;
    const ask = { method, url, headers, body: text, timeoutMs: options.timeout * 1000 };
    const stop = showPatience(target.url, terminal);
    const answer = await send(ask, method === 'GET' || idempotencyKey).finally(stop);
    if (!isOfOurs(answer, options)) throw await refusalOf(answer, { url: target.url, role });
    return answer;
  };
}

/** Whether the answer is a success of our server: a proxy may answer 200 with a page of its own. */
function isOfOurs({ status, headers, body }: Answer, { csv }: CommonOptions): boolean {
  if (status < 200 || status >= 300) return false;
  return csv === true ? headers['content-type']?.startsWith('text/csv') === true : isJsonObject(body);
}

/** Escapes control characters on a terminal, so that no text in an answer can act on it. */
const showText = (text: string, terminal: Terminal): void =>
  terminal.out(terminal.isInteractive.out ? seenLines(text.replace(/^\ufeff/, '')) : text);

/** On a terminal, shows after a second that the command is waiting. */
function showPatience(url: string, terminal: Terminal): () => void {
  if (!terminal.isInteractive.err) return () => undefined;
  let seconds = 0;
  const ticking = setInterval(() => terminal.err(`\rwaiting for ${url}, ${(seconds += 1)} s`), TICK_MS);
  return () => {
    clearInterval(ticking);
    if (seconds > 0) terminal.err('\r\u001b[K');
  };
}

function print(operation: OperatorOperation, answer: Answer, options: CommonOptions, terminal: Terminal): number {
  const waits = answer.status === 202;
  if (options.csv === true) {
    showText(answer.body, terminal);
    if (answer.headers['link'] !== undefined) terminal.err('There are more: --all writes all of them.\n');
    return exitCodes.done;
  }
  const body: unknown = JSON.parse(answer.body);
  const isBroken = operation.operationId === 'checkLedger' && (body as { ok?: boolean }).ok !== true;
  if (options.json === true)
    showText(terminal.isInteractive.out ? `${JSON.stringify(body, null, 2)}\n` : `${answer.body}\n`, terminal);
  else if (waits) printWaiting(body, operation, options, terminal);
  else if (operation.operationId === 'checkLedger') printChecks(body, terminal);
  else printTables(operation, body, options, terminal);
  if (waits) return exitCodes.waits;
  return isBroken ? exitCodes.refused : exitCodes.done;
}

/** Fetches all pages. Prints files and JSON as they arrive, and tables at the end. */
async function printAll(
  operation: OperatorOperation,
  { request, ask, options }: { request: Request; ask: Caller; options: CommonOptions },
  terminal: Terminal,
): Promise<number> {
  const isStreamed = options.json === true || options.csv === true;
  const kept: unknown[] = [];
  let [cursor, count]: [string | undefined, number] = [undefined, 0];
  for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    const { body, headers } = await ask(
      cursor === undefined ? request : { ...request, path: at(request.path, cursor) },
    );
    if (options.csv === true) {
      showText(pages === 0 ? body : body.slice(body.indexOf('\r\n') + 2), terminal);
      cursor = /[?&]cursor=([^&>]+)/.exec(headers['link'] ?? '')?.[1];
      count += body.split('\r\n').length - 2;
    } else {
      const { items, nextCursor } = JSON.parse(body) as { items: unknown[]; nextCursor?: string };
      cursor = nextCursor;
      count += items.length;
      if (options.json === true) showText(items.map((one) => `${JSON.stringify(one)}\n`).join(''), terminal);
      else kept.push(...items);
    }
    if (kept.length >= TABLE_MAX) throw new CommandFailure('usage', TOO_MANY);
    if (terminal.isInteractive.err && !(isStreamed && terminal.isInteractive.out)) terminal.err(`\r${count} so far`);
  }
  if (terminal.isInteractive.err) terminal.err('\r\u001b[K');
  if (!isStreamed) printTables({ ...operation, cursor: false }, { items: kept }, options, terminal);
  terminal.err(`${count} in all.\n`);
  return exitCodes.done;
}

/** The same request, for the page behind a cursor. */
function at(path: string, cursor: string): string {
  const [base = '', query] = path.split('?');
  const asked = new URLSearchParams(query);
  asked.delete('offset');
  asked.set('cursor', decodeURIComponent(cursor));
  return `${base}?${asked.toString()}`;
}
