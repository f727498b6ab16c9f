import type { KnownLines } from './open-store.ts';

/** A line of a file: what it says, and what was on the account after it. */
interface Line {
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
  takeSame({ balance }: Line): boolean {
    return balance !== undefined && takeFrom(this.#byBalance.get(balance));
  }

  /**
   * Uses up one that nothing tells apart. Balances tell lines apart, but those of one statement, which may be sent in another order,
   * and those of a file with statements and one without.
   */
  takeAlike({ balance, statement }: Line): boolean {
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

/** Tells of each line of a file whether an earlier one has it: as often as it stood there, and no more often. */
export function seenBefore<One extends Line>(
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
