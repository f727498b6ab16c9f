import { type Minor, negated } from '#lib/minor-units.ts';
import { doesNotTie, isPlaceholder, shown, unreadable } from './bank-file.ts';
import type { Row } from './csv-rows.ts';
import { readAmount } from './exact-amount.ts';

/** What a row says that is no movement on the account. */
type Fact = 'opening' | 'closing' | 'debits' | 'credits';

/** A longer text names none of these. */
const LABEL_MAX = 60;
const labels: readonly (readonly [Fact | 'total' | 'nothing', RegExp])[] = [
  [
    'opening',
    /^(?:opening|starting|initial|previous|start)(?: (?:book|ledger))? bal(?:ance)?(?: (?:as at|as of|as on|on|at) [0-9a-z ]{4,20})?$/,
  ],
  ['opening', /^(?:bal(?:ance)? )?(?:brought (?:forward|down)|b f|b d|b fwd|b forward)$/],
  ['opening', /^bal(?:ance)? at (?:the )?(?:start|beginning)(?: of (?:the )?period)?$/],
  [
    'closing',
    /^(?:closing|ending|final|end)(?: (?:book|ledger))? bal(?:ance)?(?: (?:as at|as of|as on|on|at) [0-9a-z ]{4,20})?$/,
  ],
  ['closing', /^(?:bal(?:ance)? )?(?:carried (?:forward|down)|c f|c d|c fwd|c forward)$/],
  ['closing', /^bal(?:ance)? at (?:the )?end(?: of (?:the )?period)?$/],
  ['debits', /^total (?:amount )?(?:of )?(?:debits?|withdrawals?|money out|paid out|outflows?)$/],
  ['credits', /^total (?:amount )?(?:of )?(?:credits?|lodge?ments?|deposits?|money in|paid in|inflows?)$/],
  ['total', /^(?:grand |sub |page |overall )?totals?$/],
  ['nothing', /^(?:end of (?:statement|report|list|file)|page \d{1,5} of \d{1,5})$/],
];

/** The names by which a cell labels the amount next to it. */
export function labelOf(cell: string): Fact | 'total' | 'nothing' | undefined {
  if (cell.length > LABEL_MAX) return undefined;
  const plain = cell
    .toLowerCase()
    .replaceAll(/\([^)]{0,10}\)/g, ' ')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
  return labels.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** The columns of a file that say what a row is. */
export interface SummaryColumns {
  date: number | undefined;
  reference: number | undefined;
  narration: number | undefined;
  amount: number | undefined;
  debit: number | undefined;
  credit: number | undefined;
  balance: number | undefined;
}

/** What a file says of its own lines, and of the account before and after them. */
export interface Summary {
  opening: Minor | undefined;
  closing: Minor | undefined;
  /** Whether totals prove all lines. */
  isTotalled: boolean;
}

/** Sums of lines: what left has no sign. */
export interface Sums {
  debits: bigint;
  credits: bigint;
}

type Total = 'debits' | 'credits' | 'net';

/** A fact, where it stands, and how many lines stand before it. */
interface Stated {
  fact: Fact | Total;
  amount: Minor;
  number: number;
  after: number;
  sumsSoFar: Sums;
}

/** Where a row stands that may say something of the file. */
interface Place {
  /** How many fields a row of the account has. */
  width: number;
  /** The number and the sum of the lines before it. */
  after: number;
  sumsSoFar: Sums;
  /** Whether it has a day, in whatever way that is written. */
  isDated: boolean;
  /** Whether it is the first or the last of the rows that have one. */
  isAtEnd: boolean;
}

/** Gathers what a CSV says of itself in rows that are no lines of the account: balances before and after them, and totals. */
export class CsvSummary {
  readonly #stated: Stated[] = [];
  readonly #columns: SummaryColumns;
  readonly #decimalMark: '.' | ',';
  readonly #isInverted: boolean;

  /** @param mapping how amounts are written, and whether what left is above zero in a column for both directions */
  constructor(columns: SummaryColumns, mapping: { decimalMark: '.' | ','; isInverted: boolean }) {
    this.#columns = columns;
    this.#decimalMark = mapping.decimalMark;
    this.#isInverted = mapping.isInverted;
  }

  /** Reads rows before the header. What is not understood there is passed over, as those rows are. */
  addPreamble({ fields, number }: Row): void {
    this.#addPairs(fields, { number, after: 0, sumsSoFar: { debits: 0n, credits: 0n }, isPreamble: true });
  }

  /**
   * Reads a row that may be no line of the account. One with a day is a balance only where its text is the name of one, and it moved
   * nothing; or where it has no reference, stands first or last, and what it moved is the balance itself.
   *
   * @returns whether it says something of the file
   * @throws DomainError BANK_FILE_UNREADABLE where it may be either, or says its balance in two ways
   */
  add({ fields, number }: Row, place: Place): boolean {
    const { width, after, sumsSoFar, isDated } = place;
    const { amount, debit, credit, balance } = this.#columns;
    const labelled = fields.length === width ? this.#labelIn(fields, isDated) : undefined;
    const asPairs = (): boolean => !isDated && this.#addPairs(fields, { number, after, sumsSoFar, isPreamble: false });
    if (labelled === undefined) return asPairs();
    const [label, labelAt] = labelled;
    if (label === 'nothing') return fields.filter((cell) => cell.trim() !== '').length === 1;
    const read = (at: number | undefined): Minor | undefined => {
      const text = at === undefined ? '' : (fields[at] ?? '').trim();
      if (text === '' || /^[-–]$/.test(text)) return undefined;
      const value = readAmount(text, this.#decimalMark);
      if (value === undefined) throw unreadable(`line ${number}`, 'not an amount of at most two decimals');
      return value;
    };
    const state = (fact: Stated['fact'], value: Minor): void =>
      void this.#stated.push({ fact, amount: value, number, after, sumsSoFar });
    if (label === 'opening' || label === 'closing') {
      const [moved, said] = [[amount, debit, credit].map(read), read(balance)];
      const others = moved.filter((one) => one !== undefined && one !== 0n);
      if (others.length > 0 && this.#isReferred(fields, labelAt)) return false;
      if (others.length > 0 && isDated) {
        if (!place.isAtEnd || (said !== undefined && others.some((one) => one !== said))) return false;
        if (said === undefined) {
          throw unreadable(
            `line ${number}`,
            'a balance or a line of the account: its text says the one, its amount the other',
          );
        }
      }
      const value = said ?? (others.length === 1 ? others[0] : undefined);
      if (value === undefined) return asPairs();
      if (others.some((one) => one !== value))
        throw unreadable(`line ${number}`, `the ${label} balance is said in two ways`);
      state(label, value);
      return true;
    }
    if (isDated) return false;
    if (label !== 'total') return asPairs();
    const said = { amount: read(amount), debits: read(debit), credits: read(credit), balance: read(balance) };
    if (said.debits !== undefined) state('debits', said.debits);
    if (said.credits !== undefined) state('credits', said.credits);
    if (said.amount !== undefined) state('net', this.#isInverted ? negated(said.amount) : said.amount);
    if (said.balance !== undefined) state('closing', said.balance);
    return true;
  }

  /** The cell that says what a row is: in the column of days, or its text. One with a text of its own is what that says. */
  #labelIn(
    fields: readonly string[],
    isDated: boolean,
  ): [label: NonNullable<ReturnType<typeof labelOf>>, at: number] | undefined {
    const { date, narration, reference, ...amounts } = this.#columns;
    const amountsAt = new Set(Object.values(amounts));
    const isOwn = (at: number | undefined): at is number => at !== undefined && (fields[at] ?? '').trim() !== '';
    const places = [
      ...(isOwn(date) && !isDated && labelOf(fields[date] ?? '') !== undefined ? [date] : []),
      ...(isOwn(narration)
        ? [narration]
        : fields.keys().filter((at) => !amountsAt.has(at) && !(isDated && at === reference))),
    ];
    for (const at of places) {
      const label = labelOf(fields[at] ?? '');
      if (label !== undefined) return [label, at];
    }
    return undefined;
  }

  /** Whether a row has a reference, as lines of the account have. */
  #isReferred(fields: readonly string[], labelAt: number): boolean {
    const { reference } = this.#columns;
    const text = reference === undefined || reference === labelAt ? '' : (fields[reference] ?? '');
    return labelOf(text) === undefined && !isPlaceholder(text);
  }

  /** Reads cells that label the amount next to them, or behind a colon. Among the lines all amounts of a row must be named. */
  #addPairs(
    fields: readonly string[],
    { number, after, sumsSoFar, isPreamble }: Omit<Stated, 'fact' | 'amount'> & { isPreamble: boolean },
  ): boolean {
    const cells = fields.flatMap((field) => {
      const cell = field.trim();
      const colon = cell.length > LABEL_MAX * 2 ? -1 : cell.indexOf(':');
      return (colon > 0 ? [cell.slice(0, colon), cell.slice(colon + 1).trim()] : [cell]).filter((one) => one !== '');
    });
    const found: Stated[] = [];
    const named = new Set<number>();
    for (const [at, cell] of cells.entries()) {
      const fact = labelOf(cell);
      if (fact === undefined || fact === 'total' || fact === 'nothing') continue;
      const next = cells[at + 1];
      const value = next === undefined ? undefined : readAmount(next, this.#decimalMark);
      const behind = cells[at + 2];
      // Two amounts side by side may be one whose thousands are set apart.
      if (value === undefined || (behind !== undefined && labelOf(behind) === undefined)) continue;
      named.add(at + 1);
      found.push({ fact, amount: value, number, after, sumsSoFar });
    }
    const isNamed = (cell: string, at: number): boolean =>
      named.has(at) || readAmount(cell, this.#decimalMark) === undefined;
    if (found.length === 0 || !(isPreamble || cells.every(isNamed))) return false;
    this.#stated.push(...found);
    return true;
  }

  /**
   * Compares what the file says of itself with its lines.
   *
   * @param lines their number and sum
   * @throws DomainError BANK_FILE_DOES_NOT_TIE, BANK_FILE_UNREADABLE
   */
  judge(lines: number, sums: Sums): Summary {
    const one = (fact: 'opening' | 'closing'): Minor | undefined => {
      const said = this.#stated.filter((stated) => stated.fact === fact);
      for (const { amount, number, after } of said) {
        if (amount !== said[0]?.amount) {
          throw doesNotTie(
            `line ${number}`,
            `a second ${fact} balance, of ${shown(amount)}: send one statement at a time`,
          );
        }
        if (after !== 0 && after !== lines)
          throw unreadable(`line ${number}`, `the ${fact} balance stands among the lines`);
      }
      return said[0]?.amount;
    };
    const proved = new Set<Total>();
    const before: Record<Total, bigint> = { debits: 0n, credits: 0n, net: 0n };
    for (const { fact, amount, after, number, sumsSoFar } of this.#stated) {
      if (fact === 'opening' || fact === 'closing') continue;
      const isOfAll = after === 0 || after === lines;
      const come = totalOf(isOfAll ? sums : sumsSoFar, fact);
      const said = fact === 'net' ? amount : magnitude(amount);
      if (said === come && isOfAll) proved.add(fact);
      // The total of a page is of what stands behind the one before.
      if (said !== come && (after === 0 || said !== come - before[fact])) {
        throw doesNotTie(`line ${number}, total`, `the lines come to ${shown(come)}, not ${shown(said)}`);
      }
      before[fact] = totalOf(sumsSoFar, fact);
    }
    const isSide = (fact: 'debits' | 'credits'): boolean => proved.has(fact) || (sums[fact] === 0n && proved.size > 0);
    const isTotalled = lines > 0 && (proved.has('net') || (isSide('debits') && isSide('credits')));
    return { opening: one('opening'), closing: one('closing'), isTotalled };
  }
}

const totalOf = ({ debits, credits }: Sums, of: Total): bigint =>
  of === 'net' ? credits - debits : of === 'debits' ? debits : credits;
const magnitude = (amount: Minor): Minor => (amount < 0n ? negated(amount) : amount);
