import { normalizedReference } from '#lib/text/parse.ts';
import { bankingDaysApart } from './days.ts';
import { isPlaceholder, pause } from './files/bank-file.ts';
import type { KnownLines } from './open-store.ts';

/** A line of a bank that has no posting yet. */
export interface OpenLine {
  day: string;
  amount: bigint;
  /** What it is referred to by. */
  references: readonly string[];
  narration: string;
  /** Whether an earlier file has another one that says the same. */
  isSecond?: boolean | undefined;
}

/** A posting on the clearing account. */
export interface OpenEntry {
  id: number;
  day: string;
  /** What it says came in at the bank, or left. */
  amount: bigint;
  /** Under which references the bank may know it. */
  references: readonly string[];
  /** Whether a line has it already. */
  isTaken: boolean;
}

type Pairing = 'MATCHED' | 'DAY_DIFFERS' | 'AMOUNT_DIFFERS';

/** What was found of a line. */
export type Found<Entry> = { status: Pairing; entry: Entry } | { status: 'THEIRS_ALONE' | 'DUPLICATE' };

/** A word of a narration that is shorter names nothing. */
const WORD_MIN = 6;

/** Lines or postings that are looked at before others have their turn. */
const AT_ONCE = 200;

/** What more postings than these are called by names none of them. */
const NAMESAKES_MAX = 200;

const namesIn = (references: readonly string[]): string[] =>
  references.map(normalizedReference).filter((name) => !isPlaceholder(name));

/** Each once, however often it stands there. */
const wordsIn = (narration: string): string[] => [
  ...new Set(
    narration
      .split(/[\s,;:|/()]+/)
      .map(normalizedReference)
      .filter((word) => word.length >= WORD_MIN),
  ),
];

/** What each line is referred to by, and what its narration may name. */
async function namesOf<Line extends OpenLine>(
  lines: readonly Line[],
): Promise<Map<Line, { own: string[]; said: string[] }>> {
  const names = new Map<Line, { own: string[]; said: string[] }>();
  for (const [at, line] of lines.entries()) {
    if (at % AT_ONCE === 0) await pause();
    names.set(line, { own: namesIn(line.references), said: wordsIn(line.narration) });
  }
  return names;
}

/** Tells whether a posting has a reference that one of these lines has, or that stands in a narration. */
export async function namedIn(lines: readonly OpenLine[]): Promise<(entry: OpenEntry) => boolean> {
  const names = new Set<string>();
  for (const { own, said } of (await namesOf(lines)).values()) {
    for (const name of own) names.add(name);
    for (const name of said) names.add(name);
  }
  return ({ references }) => namesIn(references).some((name) => names.has(name));
}

/**
 * Pairs lines with postings, one to one: by reference, amount and day; then by references that stand in narrations; then what
 * by its reference is one, and differs by day or by amount. Of several postings that fit, the one nearest in days is taken,
 * and of those the oldest. The same lines and postings always give the same pairs. Nothing is paired without a reference.
 *
 * @param lines in the order in which they may choose
 * @returns what was found of each line
 */
export async function match<Line extends OpenLine, Entry extends OpenEntry>(
  lines: readonly Line[],
  entries: readonly Entry[],
  toleranceDays: number,
): Promise<Map<Line, Found<Entry>>> {
  const named = await entriesByName(entries);
  const taken = new Set<Entry>(entries.filter(({ isTaken }) => isTaken));
  const found = new Map<Line, Found<Entry>>();
  const names = await namesOf(lines);

  type Fits = (line: Line, entry: Entry) => boolean;
  const pass = async (by: 'own' | 'said', status: Pairing, fits: Fits): Promise<void> => {
    for (const [at, line] of lines.entries()) {
      if (at % AT_ONCE === 0) await pause();
      if (found.has(line)) continue;
      const candidates = (names.get(line)?.[by] ?? []).flatMap((name) => postingsCalled(named, name));
      const [entry] = candidates
        .filter((one) => !taken.has(one) && fits(line, one))
        .toSorted((a, b) => bankingDaysApart(a.day, line.day) - bankingDaysApart(b.day, line.day) || a.id - b.id);
      if (entry === undefined) continue;
      taken.add(entry);
      found.set(line, { status, entry });
    }
  };
  const isNear = (line: Line, entry: Entry): boolean => bankingDaysApart(line.day, entry.day) <= toleranceDays;
  const isEqual = (line: Line, entry: Entry): boolean => line.amount === entry.amount;
  for (const by of ['own', 'said'] as const)
    await pass(by, 'MATCHED', (line, one) => isEqual(line, one) && isNear(line, one));
  for (const by of ['own', 'said'] as const) await pass(by, 'DAY_DIFFERS', isEqual);
  for (const by of ['own', 'said'] as const) {
    await pass(by, 'AMOUNT_DIFFERS', (line, one) => line.amount < 0n === one.amount < 0n && isNear(line, one));
  }
  await addAlone({ lines, found, names, taken });
  return found;
}

async function entriesByName<Entry extends OpenEntry>(entries: readonly Entry[]): Promise<Map<string, Entry[]>> {
  const named = new Map<string, Entry[]>();
  for (const [at, entry] of entries.entries()) {
    if (at % AT_ONCE === 0) await pause();
    for (const name of new Set(namesIn(entry.references))) {
      const others = named.get(name);
      if (others === undefined) named.set(name, [entry]);
      else others.push(entry);
    }
  }
  return named;
}

function postingsCalled<Entry>(named: ReadonlyMap<string, Entry[]>, name: string): Entry[] {
  const called = named.get(name) ?? [];
  return called.length > NAMESAKES_MAX ? [] : called;
}

/** What has no posting: the second line of one reference and amount is a duplicate. */
async function addAlone<Line extends OpenLine, Entry extends OpenEntry>({
  lines,
  found,
  names,
  taken,
}: {
  lines: readonly Line[];
  found: Map<Line, Found<Entry>>;
  names: ReadonlyMap<Line, { own: string[]; said: string[] }>;
  taken: ReadonlySet<Entry>;
}): Promise<void> {
  const key = (name: string, amount: bigint): string => `${name} ${amount}`;
  const seen = new Set(
    [...taken].flatMap(({ references, amount }) => namesIn(references).map((name) => key(name, amount))),
  );
  for (const [line, { status }] of found) {
    if (status === 'AMOUNT_DIFFERS') for (const name of names.get(line)?.own ?? []) seen.add(key(name, line.amount));
  }
  for (const [at, line] of lines.entries()) {
    if (at % AT_ONCE === 0) await pause();
    if (found.has(line)) continue;
    const { own = [], said = [] } = names.get(line) ?? {};
    const isSecond = line.isSecond === true || [...own, ...said].some((name) => seen.has(key(name, line.amount)));
    found.set(line, { status: isSecond ? 'DUPLICATE' : 'THEIRS_ALONE' });
    for (const name of own) seen.add(key(name, line.amount));
  }
}

/** A line of a file: what it says, and what was on the account after it. */
interface SeenLine {
  digest: Buffer;
  balance?: bigint | undefined;
  statement?: string | undefined;
}

/** SAME: an earlier file has this line, or one that nothing tells apart from it. ANOTHER: it has one that says the same, and is another. */
export type Seen = 'SAME' | 'ANOTHER';

type Bucket = Omit<KnownLines, 'digest'>;

/** Lines of earlier files that all say the same. Each stands for one line of a later file, and is used up by it. */
class Known {
  readonly #byBalance = new Map<bigint, Bucket[]>();
  readonly #byStatement = new Map<string, Bucket[]>();
  readonly #withoutBalance: Bucket[] = [];
  readonly #withoutStatement: Bucket[] = [];
  readonly #withStatement: Bucket[] = [];

  add(bucket: Bucket): void {
    const { balance, statement } = bucket;
    if (balance === undefined) {
      this.#withoutBalance.push(bucket);
      return;
    }
    addTo(this.#byBalance, balance, bucket);
    if (statement === undefined) this.#withoutStatement.push(bucket);
    else {
      this.#withStatement.push(bucket);
      addTo(this.#byStatement, statement, bucket);
    }
  }

  /** Uses up one with the same balance. */
  takeSame({ balance }: SeenLine): boolean {
    return balance !== undefined && takeFrom(this.#byBalance.get(balance));
  }

  /**
   * Uses up one that nothing tells apart. Balances tell lines apart, but those of one statement, which may be sent in another order,
   * and those of a file with statements and one without.
   */
  takeAlike({ balance, statement }: SeenLine): boolean {
    if (takeFrom(this.#withoutBalance)) return true;
    if (balance === undefined) return takeFrom(this.#withStatement) || takeFrom(this.#withoutStatement);
    if (statement === undefined) return takeFrom(this.#withStatement);
    return takeFrom(this.#byStatement.get(statement)) || takeFrom(this.#withoutStatement);
  }

  /** Whether one is left. */
  get hasMore(): boolean {
    return [this.#withoutBalance, this.#withStatement, this.#withoutStatement].some(
      (list) => nextOf(list) !== undefined,
    );
  }
}

function addTo<Key>(map: Map<Key, Bucket[]>, key: Key, bucket: Bucket): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [bucket]);
  else list.push(bucket);
}

/** The next of a list that is not used up. */
function nextOf(list: Bucket[] = []): Bucket | undefined {
  while (list.at(-1)?.count === 0) list.pop();
  return list.at(-1);
}

function takeFrom(list: Bucket[] | undefined): boolean {
  const next = nextOf(list);
  if (next === undefined) return false;
  next.count -= 1;
  return true;
}

/** Says of each line whether an earlier file has it: as often as it stood there, and no more often. */
export function seenBefore<One extends SeenLine>(
  known: readonly KnownLines[],
  lines: readonly One[],
): ReadonlyMap<One, Seen> {
  const byDigest = new Map<string, Known>();
  for (const { digest, ...bucket } of known) {
    const alike = byDigest.get(digest) ?? new Known();
    byDigest.set(digest, alike);
    alike.add(bucket);
  }
  const seen = new Map<One, Seen>();
  if (byDigest.size === 0) return seen;
  const knownOf = ({ digest }: One): Known | undefined => byDigest.get(digest.toString('hex'));
  for (const line of lines) if (knownOf(line)?.takeSame(line) === true) seen.set(line, 'SAME');
  for (const line of lines) {
    if (seen.has(line)) continue;
    const alike = knownOf(line);
    if (alike?.takeAlike(line) === true) seen.set(line, 'SAME');
    else if (alike?.hasMore === true) seen.set(line, 'ANOTHER');
  }
  return seen;
}
