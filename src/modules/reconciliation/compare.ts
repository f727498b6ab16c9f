import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { dayAfter } from './banking-days.ts';
import { type BankLine, type Days, pause } from './files/bank-file.ts';
import { match, namedIn, type OpenLine } from './match.ts';
import { type AloneLine, aloneLines, type ClearingEntry, clearingEntries, knownLines } from './open-store.ts';
import type { Rail } from './rails.ts';
import { type Seen, seenBefore } from './repeats.ts';
import { openSaid } from './said.ts';
import type { NewItem, Paired } from './store.ts';

/** How far around a file's days its lines are looked for: what differs by more days is alone. */
const AROUND_DAYS = 15;
/** Lines whose words are opened before others have their turn. */
const AT_ONCE = 500;

/** A line of a file, as it is to be stored. */
export type LineToCompare = BankLine & Required<NewItem>['line'];

/** What is open: a line of this file, or one of an earlier. */
interface Choosing extends OpenLine {
  line: LineToCompare | undefined;
  /** Of an earlier file's line. */
  id: string | undefined;
}

/** What is to be written of a file. */
interface Compared {
  /** Its lines, and behind them the postings that it lacks. */
  items: NewItem[];
  /** Lines of earlier files that have their posting now. */
  pairs: Paired[];
  /** What was kept of postings alone that a line has now. */
  replaced: string[];
}

/**
 * Compares a file with the postings on the clearing account of its rail, and with what earlier files left open.
 *
 * @throws DomainError BANK_FILE_UNREADABLE where there is more to compare than can be at once
 */
export async function compare(
  tx: Tx,
  keyring: Keyring,
  {
    rail,
    days,
    lines,
    toleranceDays,
  }: { rail: Rail; days: Days; lines: readonly LineToCompare[]; toleranceDays: number },
): Promise<Compared> {
  const digests = lines.map(({ digest }) => digest);
  const [earlier, known] = await Promise.all([aloneLines(tx, rail), knownLines(tx, rail, digests)]);
  await pause();
  const seen = seenBefore(known, lines);
  await pause();
  const own = lines.filter((line) => seen.get(line) !== 'SAME').map((line) => choosing(line, seen.get(line)));
  const byDay = Map.groupBy([...(await choosingAgain(keyring, rail, earlier)), ...own], ({ day }) => day);
  const open = [...byDay.keys()].toSorted().flatMap((day) => byDay.get(day) ?? []);
  const isAlone = ({ day, isTaken, itemId }: ClearingEntry): boolean =>
    !isTaken && itemId === undefined && day >= days.from && day <= days.to;
  const isNamed = await namedIn(open);
  const around = { from: dayAfter(days.from, -AROUND_DAYS), to: dayAfter(days.to, AROUND_DAYS + 1) };
  const entries = await clearingEntries(tx, rail, around, (entry) => isAlone(entry) || isNamed(entry));
  const found = await match(open, entries, toleranceDays);

  const compared: Compared = { items: [], pairs: [], replaced: [] };
  const taken = new Set<ClearingEntry>();
  const lineItems = new Map<LineToCompare, NewItem>();
  let at = 0;
  for (const [{ id, line }, result] of found) {
    if (at++ % AT_ONCE === 0) await pause();
    const entry = 'entry' in result ? result.entry : undefined;
    const ours = entry && { transactionId: entry.id, day: entry.day, amount: entry.amount };
    if (entry !== undefined) taken.add(entry);
    if (entry?.itemId !== undefined) compared.replaced.push(entry.itemId);
    // A posting that was alone keeps its id when a line of this file has it.
    if (line !== undefined) lineItems.set(line, { id: entry?.itemId, status: result.status, line, ours });
    else if (id !== undefined && ours !== undefined) compared.pairs.push({ id, status: result.status, ours });
  }
  await pause();
  for (const line of lines) {
    compared.items.push(lineItems.get(line) ?? { status: 'REPEATED', line });
  }
  await pause();
  for (const entry of entries) {
    if (!isAlone(entry) || taken.has(entry)) continue;
    const { id: transactionId, day, amount } = entry;
    compared.items.push({ status: 'OURS_ALONE', ours: { transactionId, day, amount } });
  }
  return compared;
}

/** Lines of earlier files, with what was said of them, a part at a time. */
async function choosingAgain(keyring: Keyring, rail: Rail, earlier: readonly AloneLine[]): Promise<Choosing[]> {
  const open: Choosing[] = [];
  for (const [at, { id, day, amount, lineDigest, saidSealed }] of earlier.entries()) {
    if (at % AT_ONCE === 0) await pause();
    const { reference, bankReference, narration } = openSaid(keyring, { rail, lineDigest, saidSealed });
    open.push({ line: undefined, id, day, amount, narration, references: [reference, bankReference] });
  }
  return open;
}

const choosing = (line: LineToCompare, seen: Seen | undefined): Choosing => ({
  line,
  isSecond: seen === 'ANOTHER',
  id: undefined,
  day: line.day,
  amount: line.amount,
  references: [line.reference, line.bankReference],
  narration: line.narration,
});
