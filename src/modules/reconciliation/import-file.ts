import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { businessDay } from '#modules/ledger';
import { dayAfter } from './days.ts';
import {
  type BankFile,
  type BankLine,
  type Days,
  doesNotTie,
  isProved,
  type Proof,
  pause,
  sumsOf,
  unreadable,
} from './files/bank-file.ts';
import { type FileKind, readBankFile } from './files/read-bank-file.ts';
import type { ItemStatus } from './item-status.ts';
import { match, namedIn, type OpenLine, type Seen, seenBefore } from './match.ts';
import { type AloneLine, aloneLines, type ClearingEntry, clearingEntries, knownLines } from './open-store.ts';
import type { Rail } from './rails.ts';
import { lineDigest, openSaid, sealSaid } from './said.ts';
import {
  deleteAlone,
  findImport,
  findSameFile,
  type ImportRow,
  insertImport,
  insertItems,
  isKnownBalance,
  linesByStatus,
  lockRail,
  type NewItem,
  onOtherDays,
  type Paired,
  pairItems,
  postingsOfDays,
} from './store.ts';

/**
 * Why the bank and our books say something different: what became of a line or a posting; or that its other side is of another
 * day or file; or that the posting was made after the file was read.
 */
type Difference = Exclude<ItemStatus, 'MATCHED' | 'REPEATED'> | 'OTHER_DAYS' | 'NOT_COMPARED';

/** How a bank's file compares with our books, minor units: what came in is above zero. */
interface Summary {
  /** What came in and left by the lines that no earlier file has. */
  bank: bigint;
  /** The same by our postings of the file's days. */
  ours: bigint;
  difference: bigint;
  /** What the difference is made of. */
  differences: { of: Difference; count: number; amount: bigint }[];
  matched: number;
  repeated: number;
  /** Whether the lines are proved and sum to their proof, and the differences sum to the difference. */
  ties: boolean;
}

export interface ImportView extends ImportRow {
  summary: Summary;
}

/** A file that was imported. @throws DomainError IMPORT_NOT_FOUND */
export async function getImport({ db }: { db: Database }, id: string): Promise<ImportView> {
  const found = await findImport(db, id);
  if (found === undefined) throw new DomainError('IMPORT_NOT_FOUND', 'there is no such import');
  return viewOfImport(db, found);
}

/** An import with how it compares with our books now. */
async function viewOfImport(db: Database, row: ImportRow): Promise<ImportView> {
  const [lines, postings, others] = await Promise.all([
    linesByStatus(db, row.id),
    postingsOfDays(db, row),
    onOtherDays(db, row),
  ]);
  const differences = new Map<Difference, { count: number; amount: bigint }>();
  const add = (of: Difference, count: number, amount: bigint): void => {
    const so = differences.get(of) ?? { count: 0, amount: 0n };
    if (count > 0) differences.set(of, { count: so.count + count, amount: so.amount + amount });
  };
  let [bank, stored, ours, matched, repeated] = [0n, 0n, 0n, 0, 0];
  for (const { status, count, theirs, difference } of lines) {
    stored += theirs;
    if (status === 'REPEATED') repeated = count;
    else bank += theirs;
    if (status === 'MATCHED') matched = count;
    else if (status !== 'REPEATED') add(status, count, difference);
  }
  for (const { of, count, amount } of postings) {
    ours += amount;
    if (of === 'ELSEWHERE') add('OTHER_DAYS', count, -amount);
    else if (of !== 'HERE') add(of, count, -amount);
  }
  add('OTHER_DAYS', others.count, others.amount);
  const listed = [...differences].map(([of, so]) => ({ of, ...so }));
  const explained = listed.reduce((sum, { amount }) => sum + amount, 0n);
  const { opening, closing, credits, debits, provedBy } = row;
  const isWhole =
    isProved(provedBy) && stored === credits + debits && (opening === null || opening + stored === closing);
  const ties = isWhole && explained === bank - ours;
  const summary = { bank, ours, difference: bank - ours, differences: listed, matched, repeated, ties };
  return { ...row, summary };
}

interface Deps {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
}

/** What an operator has seen at the bank of the lines of a file. Minor units, without a sign. */
export interface Confirmed {
  count: number;
  credits: bigint;
  debits: bigint;
}

export interface FileToImport {
  actor: string;
  rail: Rail;
  kind: FileKind;
  content: string;
  toleranceDays: number;
  /** Proves a file that does not do so itself. */
  confirm?: Confirmed | undefined;
  /** Goes to the audit log only. */
  reason?: string | undefined;
  /** The days that the file is about, where it has no line on the first or the last of them. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Lines that are sealed before others have their turn. */
const IMPORT_FILE_AT_ONCE = 200;

/** Characters of a file that are hashed at once. */
const PART = 1024 * 1024;

/**
 * Reads a bank's file, and pairs its lines with the postings on the clearing account of its rail: those of its days, and what
 * earlier files left open. A file whose lines neither it nor an earlier file proves is taken once an operator
 * has confirmed their count and totals. The same file again answers the first import. Audited.
 *
 * @returns the import, and whether it was made now
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE; BANK_FILE_UNPROVED
 */
export async function importFile(deps: Deps, given: FileToImport): Promise<ImportView & { isNew: boolean }> {
  const { db, transact, keyring } = deps;
  const { rail, kind, content } = given;
  const digest = await digestOf(content, JSON.stringify([kind, given.from, given.to, given.toleranceDays]));
  const before = await findSameFile(db, rail, digest);
  if (before !== undefined) {
    if (given.confirm !== undefined) refuseUnlessSame({ ...before, count: before.lines }, given.confirm);
    return { ...(await viewOfImport(db, before)), isNew: false };
  }
  const file = await readBankFile(content, kind);
  refuseFuture(file, deps.clock.now());
  if (given.confirm !== undefined) refuseUnlessSame({ ...sumsOf(file.lines), count: file.lines.length }, given.confirm);
  const lines = await sealedLines(keyring, rail, file.lines);
  const { row, isNew } = await transact(async (tx) => write(tx, deps, { given, digest, file, lines }));
  return { ...(await viewOfImport(db, row)), isNew };
}

/** What a file and how it is read are known again by, a part at a time. */
async function digestOf(content: string, how: string): Promise<Buffer> {
  const parts = [sha256(how)];
  for (let at = 0; at < content.length; at += PART) {
    parts.push(sha256(content.slice(at, at + PART)));
    await pause();
  }
  return sha256(Buffer.concat(parts));
}

/** Seals what the bank says of its lines, a part at a time. */
async function sealedLines(keyring: Keyring, rail: string, lines: readonly BankLine[]): Promise<LineToCompare[]> {
  const sealed: LineToCompare[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % IMPORT_FILE_AT_ONCE === 0) await pause();
    const digest = lineDigest(keyring, line);
    const saidSealed = sealSaid(keyring, { rail, lineDigest: digest }, line);
    sealed.push({ ...line, place: at + 1, saidSealed, digest });
  }
  return sealed;
}

interface Writing {
  given: FileToImport;
  digest: Buffer;
  file: BankFile;
  lines: readonly LineToCompare[];
}

async function write(
  tx: Tx,
  deps: Deps,
  { given, digest, file, lines }: Writing,
): Promise<{ row: ImportRow; isNew: boolean }> {
  const { rail, actor, kind, toleranceDays } = given;
  const now = deps.clock.now();
  await lockRail(tx, rail);
  const same = await findSameFile(tx, rail, digest);
  if (same !== undefined) return { row: same, isNew: false };
  const provedBy = await proofOf(tx, file, given);
  const isKnown = file.isGuessed !== true || provedBy.includes('EARLIER_BALANCE');
  const days = daysAskedFor(file, given);
  const row = await insertImport(tx, {
    rail,
    format: kind.format,
    digest,
    account: file.account ?? null,
    fromDay: days.from,
    toDay: days.to,
    opening: (isKnown ? file.opening : undefined) ?? null,
    closing: (isKnown ? file.closing : undefined) ?? null,
    lines: lines.length,
    ...sumsOf(lines),
    provedBy,
    toleranceDays,
    importedBy: actor,
    createdAt: now,
  });
  const { items, pairs, replaced } = await compare(tx, deps.keyring, { rail, days, lines, toleranceDays });
  await deleteAlone(tx, replaced);
  await pairItems(tx, now, pairs);
  await insertItems(tx, { rail, importId: row.id, now }, items);
  const after = { rail, format: kind.format, from: days.from, to: days.to, lines: lines.length, provedBy };
  await recordChange(tx, { actor, action: 'reconciliation.import', target: row.id, after, reason: given.reason });
  return { row, isNew: true };
}

const daysAskedFor = (file: BankFile, { from, to }: FileToImport): Days => ({
  from: from !== undefined && from < file.from ? from : file.from,
  to: to !== undefined && to > file.to ? to : file.to,
});

/** What proves a file. @throws DomainError BANK_FILE_UNPROVED */
async function proofOf(tx: Tx, file: BankFile, { rail, confirm }: FileToImport): Promise<Proof[]> {
  const provedBy = [...file.provedBy];
  if (!isProved(provedBy) && provedBy.includes('BALANCES') && file.opening !== undefined) {
    if (await isKnownBalance(tx, { rail, day: file.from, balance: file.opening })) provedBy.push('EARLIER_BALANCE');
  }
  if (confirm !== undefined) provedBy.push('CONFIRMATION');
  if (isProved(provedBy)) return provedBy;
  const { credits, debits } = sumsOf(file.lines);
  const odd = credits === 0n ? ', and none of its lines came in' : debits === 0n ? ', and none of its lines left' : '';
  throw new DomainError(
    'BANK_FILE_UNPROVED',
    `nothing proves the file${odd}: look up at the bank how many lines it has there, what came in and what left, and send that with it as confirm`,
    { errors: ['confirm.count: missing', 'confirm.credits: missing', 'confirm.debits: missing'] },
  );
}

/** A bank's day is not yet to come, but for value dates: as far ahead as a line and its posting may lie apart. */
const FUTURE_MAX_MS = 10 * 86_400_000;

/** @throws DomainError BANK_FILE_UNREADABLE */
function refuseFuture({ lines, from, to }: BankFile, now: Date): void {
  const latest = businessDay(new Date(now.getTime() + FUTURE_MAX_MS));
  const line = lines.find(({ day }) => day > latest);
  const day = line?.day ?? [from, to].find((one) => one > latest);
  if (day !== undefined) throw unreadable(`line ${line?.number ?? 1}`, `the day ${day} is yet to come`);
}

/**
 * The error does not say the sums: an operator must look them up at the bank, not in the file.
 *
 * @param file what left is below zero
 */
function refuseUnlessSame(file: Confirmed, confirmed: Confirmed): void {
  const { count, credits, debits } = file;
  const sums = { credits, debits: -debits };
  if (count !== confirmed.count)
    throw doesNotTie('confirm.count', `the file has ${count < confirmed.count ? 'fewer' : 'more'} lines than that`);
  for (const side of ['credits', 'debits'] as const) {
    if (sums[side] === confirmed[side]) continue;
    const how = sums[side] < confirmed[side] ? 'less' : 'more';
    throw doesNotTie(`confirm.${side}`, `the lines of the file come to ${how} than that`);
  }
}

/** How far around a file's days its lines are looked for: what differs by more days is alone. */
const AROUND_DAYS = 15;

/** Lines whose words are opened before others have their turn. */
const COMPARE_AT_ONCE = 500;

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
async function compare(
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
    if (at++ % COMPARE_AT_ONCE === 0) await pause();
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
  for (const [at, { id, day, amount, lineDigest: digest, saidSealed }] of earlier.entries()) {
    if (at % COMPARE_AT_ONCE === 0) await pause();
    const { reference, bankReference, narration } = openSaid(keyring, { rail, lineDigest: digest, saidSealed });
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
