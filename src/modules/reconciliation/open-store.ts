import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { dayAfter } from './days.ts';
import type { Days } from './files/bank-file.ts';
import { clearingAccount, type Rail } from './rails.ts';

/** A line of an earlier file that has no posting. */
export interface AloneLine {
  id: string;
  day: string;
  amount: bigint;
  lineDigest: Buffer;
  saidSealed: Buffer | null;
}

const DAY_MS = 86_400_000;
/** As many as are looked at again. */
const OPEN_MAX = 50_000;

const selectLines = preparedText<{ id: string; day: string; amount: string; digest: Buffer; said: Buffer | null }>(
  'reconciliation.open-lines',
  `select id, bank_day::text as day, bank_amount as amount, line_digest as digest, said_sealed as said from reconciliation.item
    where rail = $1 and status in ('THEIRS_ALONE', 'DUPLICATE', 'TIMING') and line is not null order by id limit ${OPEN_MAX}`,
);

/** Lines of a rail that have no posting, in the order in which they came. */
export async function aloneLines(tx: Tx, rail: Rail): Promise<AloneLine[]> {
  const rows = await selectLines(tx, [rail]);
  return rows.map(({ id, day, amount, digest, said }) => ({
    id,
    day,
    amount: BigInt(amount),
    lineDigest: digest,
    saidSealed: said,
  }));
}

/** Lines of earlier files that say the same, and what was on the account after them in the same statement. */
export interface KnownLines {
  /** The hex of what they say. */
  digest: string;
  balance: bigint | undefined;
  statement: string | undefined;
  count: number;
}

interface KnownRow {
  digest: Buffer;
  balance: string | null;
  statement: string | null;
  count: number;
}

const DIGESTS_AT_ONCE = 2_000;

const selectKnown = preparedText<KnownRow>(
  'reconciliation.known-lines',
  `select line_digest as digest, bank_balance as balance, statement, count(*)::int as count from reconciliation.item
    where line_digest = any($2::bytea[]) and rail = $1 and status <> 'REPEATED' group by 1, 2, 3 order by 1, 2, 3`,
);

/** The lines of earlier files that have one of these digests. */
export async function knownLines(tx: Tx, rail: Rail, digests: readonly Buffer[]): Promise<KnownLines[]> {
  const distinct = [...new Map(digests.map((digest) => [digest.toString('hex'), digest])).values()];
  const rows: KnownRow[] = [];
  for (let at = 0; at < distinct.length; at += DIGESTS_AT_ONCE)
    rows.push(...(await selectKnown(tx, [rail, distinct.slice(at, at + DIGESTS_AT_ONCE)])));
  return rows.map(({ digest, balance, statement, count }) => ({
    digest: digest.toString('hex'),
    balance: balance === null ? undefined : BigInt(balance),
    statement: statement ?? undefined,
    count,
  }));
}

/** A posting on the clearing account of a rail. */
export interface ClearingEntry {
  id: number;
  day: string;
  amount: bigint;
  references: string[];
  /** Whether a line has it, or what it differs by was posted. */
  isTaken: boolean;
  /** What is kept of it where no line has it. */
  itemId: string | undefined;
}

interface EntryRow {
  id: string;
  day: string;
  amount: string;
  references: string[];
  is_taken: boolean;
  item_id: string | null;
}

const COLUMNS = `e.transaction_id as id, e.business_date::text as day, -e.amount as amount, n.names as references,
  i.id is not null and (i.line is not null or i.status = 'RESOLVED') as is_taken, i.id as item_id`;
/** One look-up for each entry, however many there are in all: nothing is read whole. */
const NAMES = `cross join lateral (
    select t.type, array_remove(array[t.reference, t.external_reference, o.reference, o.external_reference, p.provider_reference,
        p.provider_id, c.provider_reference, c.provider_id], null) as names
      from ledger.transaction t left join lateral (select * from ledger.transaction x where x.id = t.original_id offset 0) o on true
        left join lateral (select * from payouts.payout x where x.transaction_id = coalesce(t.original_id, t.id) offset 0) p on true
        left join lateral (select * from payouts.payout x where t.type = 'PAYOUT_CORRECTION' and x.correction_id = t.id offset 0) c on true
      where t.id = e.transaction_id offset 0) n`;

/** As many as are compared with a file: those that it names, and those of its days that no line has. */
const ENTRIES_MAX = 500_000;
/** Parts in which postings are read, a day or more each. */
const PARTS_MAX = 400;

const selectWithin = preparedText<EntryRow>(
  'reconciliation.entries-within',
  `select ${COLUMNS} from ledger.entry e ${NAMES} left join lateral (
        select * from reconciliation.item x where x.rail = $2 and x.transaction_id = e.transaction_id offset 0) i on true
    where e.account_id = $1 and e.created_at >= $3 and e.created_at < $4 and n.type <> 'ADJUSTMENT'
    limit ${ENTRIES_MAX + 1}`,
);

const selectAlone = preparedText<EntryRow>(
  'reconciliation.entries-alone',
  `select ${COLUMNS} from reconciliation.item i
      join ledger.entry e on e.transaction_id = i.transaction_id and e.account_id = $1 ${NAMES}
    where i.rail = $2 and i.status in ('OURS_ALONE', 'TIMING') and i.line is null limit ${OPEN_MAX}`,
);

/** The first moment of a day in Africa/Lagos, which knows no summer time. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00+01:00`);

/**
 * Postings of these days, and those of others that no line has yet; the oldest first. They are read a part at a time, and only
 * those that are wanted are kept, so that a rail with many of them a day can be compared too.
 *
 * @throws DomainError BANK_FILE_UNREADABLE where more are wanted than can be compared at once
 */
export async function clearingEntries(
  tx: Tx,
  rail: Rail,
  { from, to }: Days,
  isWanted: (entry: ClearingEntry) => boolean,
): Promise<ClearingEntry[]> {
  const account = clearingAccount(rail);
  const kept = new Map<number, ClearingEntry>();
  const keep = (rows: readonly EntryRow[]): void => {
    for (const row of rows) {
      const entry = toEntry(row);
      if (isWanted(entry)) kept.set(entry.id, entry);
    }
    if (kept.size <= ENTRIES_MAX && rows.length <= ENTRIES_MAX) return;
    throw new DomainError(
      'BANK_FILE_UNREADABLE',
      `more than ${ENTRIES_MAX} postings are to be compared: send fewer days`,
    );
  };
  const days = Math.ceil((Date.parse(to) - Date.parse(from)) / DAY_MS / PARTS_MAX);
  for (let day = from; day < to; day = dayAfter(day, days)) {
    const end = dayAfter(day, days);
    keep(await selectWithin(tx, [account, rail, startOfDay(day), startOfDay(end < to ? end : to)]));
  }
  keep(await selectAlone(tx, [account, rail]));
  return [...kept.values()].toSorted((a, b) => a.id - b.id);
}

const toEntry = ({ id, day, amount, references, is_taken: isTaken, item_id: itemId }: EntryRow): ClearingEntry => ({
  id: Number(id),
  day,
  amount: BigInt(amount),
  references,
  isTaken,
  itemId: itemId ?? undefined,
});

const selectOne = preparedText<EntryRow>(
  'reconciliation.entry',
  `select ${COLUMNS} from ledger.entry e ${NAMES} left join reconciliation.item i on i.rail = $2 and i.transaction_id = e.transaction_id
    where e.transaction_id = $3 and e.account_id = $1 and n.type <> 'ADJUSTMENT'`,
);

/** A posting on the clearing account of a rail; undefined where it has none there. */
export async function clearingEntry(tx: Tx, rail: Rail, transactionId: number): Promise<ClearingEntry | undefined> {
  const [row] = await selectOne(tx, [clearingAccount(rail), rail, transactionId]);
  return row && toEntry(row);
}
