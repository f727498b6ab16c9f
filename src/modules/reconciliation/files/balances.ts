import { asMinor, type Minor } from '#lib/minor-units.ts';
import { type BankFile, type BankLine, daysOf, doesNotTie, type Proof, pause, shown, unreadable } from './bank-file.ts';

/** Lines that are looked at before others have their turn. */
const AT_ONCE = 2_000;

/** A line, and what was on the account after it where the file says so. */
export interface Balanced {
  number: number;
  day: string;
  amount: bigint;
  stated: Minor | undefined;
}

/** What a file says of the account before its first line and after its last. */
export interface Ends {
  opening: Minor | undefined;
  closing: Minor | undefined;
}

/** How the balances of a file add up. */
export interface Chain extends Ends {
  /** Whether the file states balances, they all add up, and no line stands behind the last of them. */
  isProved: boolean;
  /** Whether its lines may stand in another order too, in which it begins or ends with another balance. */
  isGuessed: boolean;
  /** What was on the account after each line, in the order of the lines. */
  balances: (Minor | undefined)[];
  /** The oldest lines, which no balance stands before. */
  before: ReadonlySet<Balanced>;
  /** The newest lines, with no balance behind them: their sum is unproved, so `closing` is undefined. */
  behind: ReadonlySet<Balanced>;
}

interface Walked extends Ends {
  after: Map<Balanced, bigint>;
  before: Set<Balanced>;
  behind: Set<Balanced>;
  /** Where it does not come out, and how far into the file that is. */
  broken: { at: number; where: string; what: string } | undefined;
}

/**
 * Finds the order of lines in which the balances of a file add up. The oldest line may stand first or the newest; the days may
 * run the one way and the lines of a day the other; and a balance may stand on some lines only, on the last of each day for example.
 *
 * @throws DomainError BANK_FILE_DOES_NOT_TIE where they do so in none
 */
export async function chainOf(lines: readonly Balanced[], ends: Ends): Promise<Chain> {
  const isStated = lines.some(({ stated }) => stated !== undefined);
  if (!isStated && ends.opening === undefined) {
    const unstated = lines.map(() => undefined);
    return {
      ...ends,
      isProved: false,
      isGuessed: false,
      balances: unstated,
      before: new Set(lines),
      behind: new Set(),
    };
  }
  let furthest: Walked['broken'];
  for (const orders of ordersOf(lines)) {
    const walks: Walked[] = [];
    for (const order of orders) walks.push(await walk(order, ends));
    for (const { broken } of walks) {
      if (broken !== undefined && (furthest === undefined || broken.at > furthest.at)) furthest = broken;
    }
    const whole = walks.filter(({ broken }) => broken === undefined);
    const found = whole.find(({ behind }) => behind.size === 0) ?? whole[0];
    if (found === undefined) continue;
    const { opening, closing, after, before, behind } = found;
    const isGuessed = whole.some((other) => other.opening !== opening || other.closing !== closing);
    const balanceOf = (line: Balanced): Minor | undefined => {
      const balance = isStated ? after.get(line) : undefined;
      return balance === undefined ? undefined : asMinor(balance);
    };
    const isProved = isStated && behind.size === 0;
    return { opening, closing, isProved, isGuessed, balances: lines.map(balanceOf), before, behind };
  }
  throw doesNotTie(furthest?.where ?? 'line 1', furthest?.what ?? 'the balances do not add up');
}

/** The orders in which a file may stand: those in which its days run forwards, and the others for a file of which none is such. */
function ordersOf(lines: readonly Balanced[]): Balanced[][][] {
  const days: Balanced[][] = [];
  for (const line of lines) {
    const last = days.at(-1);
    if (last?.[0]?.day === line.day) last.push(line);
    else days.push([line]);
  }
  const within = days.map((day) => day.toReversed());
  const orders = [[...lines], lines.toReversed(), days.toReversed().flat(), within.flat()];
  const runsForwards = (order: readonly Balanced[]): boolean =>
    order.every(({ day }, at) => at === 0 || (order[at - 1]?.day ?? '') <= day);
  return [orders.filter(runsForwards), orders.filter((order) => !runsForwards(order))];
}

async function walk(order: readonly Balanced[], ends: Ends): Promise<Walked> {
  const after = new Map<Balanced, bigint>();
  const before = new Set<Balanced>();
  const behind = new Set<Balanced>();
  let known: bigint | undefined = ends.opening;
  let opening: bigint | undefined = ends.opening;
  let pending = 0n;
  const result = (broken?: Walked['broken']): Walked => ({
    opening: opening === undefined ? undefined : asMinor(opening),
    closing: known === undefined || behind.size > 0 ? ends.closing : asMinor(known + pending),
    after,
    before,
    behind,
    broken,
  });
  for (const [at, line] of order.entries()) {
    if (at % AT_ONCE === 0) await pause();
    pending += line.amount;
    if (known === undefined) before.add(line);
    else after.set(line, known + pending);
    if (line.stated === undefined) {
      if (line.amount !== 0n) behind.add(line);
      continue;
    }
    if (known !== undefined && known + pending !== line.stated) {
      const what = `${shown(known)} and ${shown(pending)} come to ${shown(known + pending)}, not ${shown(line.stated)}`;
      return result({ at, where: `line ${line.number}, balance`, what });
    }
    opening ??= line.stated - pending;
    after.set(line, line.stated);
    known = line.stated;
    pending = 0n;
    behind.clear();
  }
  if (known !== undefined && ends.closing !== undefined) {
    behind.clear();
    if (known + pending !== ends.closing) {
      const what = `${shown(known)} and ${shown(pending)} come to ${shown(known + pending)}, not ${shown(ends.closing)}`;
      return result({ at: order.length, where: 'closing balance', what });
    }
  }
  return result();
}

/** One of the statements of a file. */
export interface Statement {
  /** Where it begins. */
  line: number;
  account: string | undefined;
  /** The bank's number of it. */
  number: string | undefined;
  opening: Minor | undefined;
  closing: Minor | undefined;
  /** Days that it says it is about. */
  days: string[];
  lines: BankLine[];
  /** Whether what it says of the sums of its lines proves them. */
  isTotalled?: boolean;
}

/** @param line where it begins */
export const newStatement = (line: number): Statement => ({
  line,
  account: undefined,
  number: undefined,
  opening: undefined,
  closing: undefined,
  days: [],
  lines: [],
});

/**
 * Statements of one account, each after the other, as one: each ties, and opens with what the one before closed with. Each line gets
 * what was on the account after it.
 *
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE
 */
export function chained(statements: readonly Statement[]): BankFile {
  let before: Minor | undefined;
  const account = statements[0]?.account;
  for (const [at, statement] of statements.entries()) {
    const where = statements.length === 1 ? `line ${statement.line}` : `line ${statement.line}, statement ${at + 1}`;
    const { opening, closing, lines } = statement;
    if (opening === undefined) throw unreadable(where, 'the statement has no opening balance');
    if (closing === undefined) throw unreadable(where, 'the statement has no closing balance');
    if (statement.account !== account) throw unreadable(where, 'the file is about more than one account');
    if (before !== undefined && before !== opening) {
      throw doesNotTie(
        `${where}, opening balance`,
        `${shown(opening)}, and the statement before closes with ${shown(before)}`,
      );
    }
    let balance = BigInt(opening);
    for (const line of lines) {
      balance += line.amount;
      line.balance = asMinor(balance);
      line.statement = statement.number;
    }
    if (balance !== closing) {
      const moved = balance - opening;
      const sums = `${shown(opening)} and ${lines.length} lines of ${shown(moved)} come to ${shown(balance)}`;
      throw doesNotTie(`${where}, closing balance`, `${sums}, not ${shown(closing)}`);
    }
    before = closing;
  }
  const [first, last] = [statements[0], statements.at(-1)];
  const lines = statements.flatMap((one) => one.lines);
  const days = daysOf(
    lines,
    statements.flatMap((one) => one.days),
  );
  if (days.from === '') throw unreadable('line 1', 'the file says nothing of the days that it is about');
  const isTotalled = statements.every((one) => one.isTotalled === true);
  const provedBy: Proof[] = isTotalled ? ['OPENING_AND_CLOSING', 'TOTALS'] : ['OPENING_AND_CLOSING'];
  return { account, opening: first?.opening, closing: last?.closing, lines, provedBy, ...days };
}
