import type { OperatorOperation } from '#wire/operator-operations.ts';
import type { Terminal } from '../terminal.ts';
import { cardOf, columnsIn, type Layout, momentOf, type Shown, seen, tableOf, zoneOf } from './table.ts';

/** The options that format an answer. */
export interface Reading {
  json?: boolean;
  csv?: boolean;
  utc?: boolean;
  wide?: boolean;
  columns?: string[];
}

/** A page of a list. */
interface Page {
  items?: unknown[];
  count?: number;
  countIsExact?: false;
  nextCursor?: string;
}

/** The width of tables where output is not a terminal: that of printed paper. */
const PRINTED = 120;

/** Prints an answer as tables, with notes on standard error. */
export function printTables(operation: OperatorOperation, body: unknown, reading: Reading, terminal: Terminal): void {
  const layout: Layout = {
    width: reading.wide === true ? undefined : (terminal.columns ?? PRINTED),
    utc: reading.utc === true,
    only: reading.columns,
  };
  if (!operation.list) {
    finish([write(cardOf(columnsIn(body, operation.columns), body, layout), terminal)], layout, terminal);
    return;
  }
  const { items = [] } = body as Page;
  const shown = [write(tableOrNothing(operation, items, layout), terminal)];
  if (operation.extras.length > 0) {
    terminal.out('\n');
    shown.push(write(cardOf(operation.extras, body, layout), terminal));
  }
  finish(shown, layout, terminal);
  tellPage(body as Page, operation, terminal);
}

function tableOrNothing({ columns }: OperatorOperation, items: readonly unknown[], layout: Layout): Shown {
  if (items.length > 0) return tableOf(columnsIn(items[0], columns), items, layout);
  return { text: 'none\n', left: [], hasMoments: false };
}

function write(shown: Shown, terminal: Terminal): Shown {
  terminal.out(shown.text);
  return shown;
}

function finish(shown: readonly Shown[], { utc }: Layout, terminal: Terminal): void {
  const left = shown.flatMap((one) => one.left);
  if (left.length > 0) terminal.err(`Columns that do not fit: ${left.join(', ')} (--wide, --columns, --json).\n`);
  if (shown.some(({ hasMoments }) => hasMoments)) terminal.err(`Times are ${zoneOf(new Date(), utc)}.\n`);
}

function tellPage(
  { items = [], count, countIsExact, nextCursor }: Page,
  { cursor }: OperatorOperation,
  terminal: Terminal,
) {
  if (!cursor || count === undefined) return;
  const total = `${countIsExact === false ? 'about ' : ''}${seen(count.toLocaleString('en'))}`;
  if (nextCursor === undefined) terminal.err(`${items.length} of ${total}.\n`);
  else terminal.err(`${items.length} of ${total}. The next page: --cursor ${seen(nextCursor)}; all of them: --all.\n`);
}

interface Waiting {
  id?: string;
  expiresAt?: string;
  amount?: number;
}

/** Says who can approve a pending request, and with which command. */
export function printWaiting(
  body: unknown,
  { role }: OperatorOperation,
  { utc = false }: Reading,
  terminal: Terminal,
): void {
  const { id = '', expiresAt = '' } = body as Waiting;
  const zone = zoneOf(new Date(expiresAt), utc);
  terminal.err(
    [
      `Nothing is done yet: another operator must approve it before ${momentOf(expiresAt, utc)} (${zone}).`,
      `Another operator with the role ${role}${role === 'admin' ? '' : ' or a higher one'} can look at it, approve it or reject it:`,
      `  paytag approvals show ${seen(id)}`,
      `  paytag approvals approve ${seen(id)}`,
      `  paytag approvals reject ${seen(id)} --reason "…"`,
      '',
    ].join('\n'),
  );
}

interface Check {
  ok?: boolean;
  checkedAt?: string;
  checks?: {
    name: string;
    violations: number;
    offenders?: unknown[];
    timedOut?: true;
    remembered?: { months: number; since: string };
    error?: string;
  }[];
}

const FINE = 'ok';
const NOT_IN_ORDER = 'The ledger is NOT in order: stop what moves money and find out why.';
const NOT_CHECKED = 'Not everything has been checked yet: no whole check has ended. Run one with paytag ledger check.';

/** Prints the checks of the books: a verdict for each, and one line for each offending row, so that they can be searched. */
export function printChecks(body: unknown, terminal: Terminal): void {
  const { ok = false, checks = [], checkedAt } = body as Check;
  const isBroken = checks.some((check) => verdictOf(check) !== FINE);
  const size = Math.max(0, ...checks.map(({ name }) => name.length));
  const lines = [
    ...checks.map((check) => `${check.name.padEnd(size)}  ${verdictOf(check)}${asFoundBefore(check)}`),
    ...checks.flatMap(({ name, offenders = [] }) => offenders.map((row) => `${name} ${JSON.stringify(row)}`)),
    ...(checkedAt === undefined ? [] : [`Everything was last checked at ${checkedAt}.`]),
    ok ? 'The ledger is in order.' : isBroken ? NOT_IN_ORDER : NOT_CHECKED,
  ];
  terminal.out(`${lines.map(seen).join('\n')}\n`);
}

const asFoundBefore = ({ remembered }: NonNullable<Check['checks']>[number]): string =>
  remembered === undefined ? '' : ` (${remembered.months} months as checked since ${remembered.since})`;

function verdictOf({ violations, timedOut, error }: NonNullable<Check['checks']>[number]): string {
  if (timedOut) return 'NOT FINISHED in its time';
  if (error !== undefined) return `NOT CHECKED: ${error}`;
  return violations === 0 ? FINE : `BROKEN by ${violations}`;
}
