import { asMinor, type Minor } from '#lib/minor-units.ts';
import { doesNotTie, pause, shown } from './bank-file.ts';

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

/** How balances come to one another. */
export interface Chain extends Ends {
  /** Whether the file states balances, they all come to one another, and none of its lines stands behind the last of them. */
  isProved: boolean;
  /** Whether its lines may stand in another order too, in which it begins or ends with another balance. */
  isGuessed: boolean;
  /** What was on the account after each line, in the order of the lines. */
  balances: (Minor | undefined)[];
  /** The oldest lines, which no balance stands before. */
  before: ReadonlySet<Balanced>;
  /** The newest lines, which no balance stands behind: nothing says what they come to, so that `closing` is undefined. */
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
 * Finds the order in which the balances of a file come to one another. The oldest line may stand first or the newest; the days may
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
  throw doesNotTie(furthest?.where ?? 'line 1', furthest?.what ?? 'the balances do not come to one another');
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
