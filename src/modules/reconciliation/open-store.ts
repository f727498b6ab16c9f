import type { Tx } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';
import type { Days } from './files/bank-file.ts';
import { clearingAccount, type Rail } from './rails.ts';

/** A line of an earlier file that has no posting. */
export interface AloneLine {
  id: string;
  day: string;
  amount: bigint;
  saidSealed: Buffer | null;
}

/** As many as are looked at again. */
const OPEN_MAX = 50_000;

const selectLines = preparedText<{ id: string; day: string; amount: string; said: Buffer | null }>(
  'reconciliation.open-lines',
  `select id, bank_day::text as day, bank_amount as amount, said_sealed as said from reconciliation.item
    where rail = $1 and status in ('THEIRS_ALONE', 'DUPLICATE', 'TIMING') and line is not null order by id limit ${OPEN_MAX}`,
);

/** Lines of a rail that have no posting, in the order in which they came. */
export async function aloneLines(tx: Tx, rail: Rail): Promise<AloneLine[]> {
  const rows = await selectLines(tx, [rail]);
  return rows.map(({ id, day, amount, said }) => ({ id, day, amount: BigInt(amount), saidSealed: said }));
}

const selectKnown = preparedText<{ digest: Buffer; count: number }>(
  'reconciliation.known-lines',
  `select line_digest as digest, count(*)::int as count from reconciliation.item
    where line_digest = any($2::bytea[]) and rail = $1 and status <> 'REPEATED' group by 1`,
);

/** How many lines of earlier files have each of these digests, by its hex. */
export async function knownLines(tx: Tx, rail: Rail, digests: readonly Buffer[]): Promise<Map<string, number>> {
  const rows = await selectKnown(tx, [rail, digests]);
  return new Map(rows.map(({ digest, count }) => [digest.toString('hex'), count]));
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

/** As many as can be compared at once. */
export const ENTRIES_MAX = 200_000;

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

/** Postings of these days, and those of others that no line has yet; the oldest first. */
export async function clearingEntries(tx: Tx, rail: Rail, { from, to }: Days): Promise<ClearingEntry[]> {
  const account = clearingAccount(rail);
  const [within, alone] = await Promise.all([
    selectWithin(tx, [account, rail, startOfDay(from), startOfDay(to)]),
    selectAlone(tx, [account, rail]),
  ]);
  const all = new Map([...within, ...alone].map((row) => [row.id, row]));
  return [...all.values()].map(toEntry).toSorted((a, b) => a.id - b.id);
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
