import { and, desc, eq, exists, inArray, isNotNull, notInArray, or, type SQL, sql } from '#drizzle';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import type { EntryRow, TransactionRow } from './history.ts';
import { type Namer, namers, type TransactionType } from './posting.ts';
import type { Posted } from './posting-result.ts';
import { account, entry, transaction } from './tables.ts';

/** A transaction, with what it did to a wallet of the partner that reads it, if it moved one. */
export interface TransactionWithEntry {
  transaction: TransactionRow;
  entry: EntryRow | null;
}

/** Movements between a partner's float and us, which no partner sees as transactions. */
export const HIDDEN_TYPES: TransactionType[] = ['FLOAT_FUNDING', 'FLOAT_SETTLEMENT'];

/**
 * The transaction that a partner knows by a reference: one whose reference the partner gave, otherwise one that a rail, the
 * operator or we named, and that belongs to the partner's books or moved one of its wallets.
 */
export async function findPartnerTransaction(
  db: Executor,
  named: { partner: string; reference: string },
): Promise<TransactionWithEntry | undefined> {
  return (await selectOwn(db, named)) ?? selectOurs(db, named);
}

// Written out: by it an index is chosen.
const isOthers = sql`${transaction.namer} <> 'PARTNER'`;

type OfPartner = Given<{ partner: string; reference: string }>;

const selectOwn = preparedOne('ledger.transaction-of-partner', (db, given: OfPartner) =>
  selectSeen(
    db,
    given,
    and(
      eq(transaction.ownerId, given.partner),
      eq(transaction.namer, 'PARTNER'),
      eq(transaction.reference, given.reference),
    ),
  ),
);

const selectOurs = preparedOne('ledger.transaction-of-ours', (db, given: OfPartner) =>
  selectSeen(
    db,
    given,
    and(
      eq(transaction.reference, given.reference),
      isOthers,
      notInArray(transaction.type, HIDDEN_TYPES),
      or(eq(transaction.partnerId, given.partner), isNotNull(entry.accountId)),
    ),
  ),
);

const selectAsPosted = preparedOne(
  'ledger.transaction-as-posted',
  (db, given: Given<{ partner: string; id: number; accounts: readonly number[] }>) =>
    selectSeen(db, given, eq(transaction.id, given.id), sql`${entry.accountId} = any(${given.accounts})`),
);

/**
 * The transaction that a posting came to, and the entry that a partner sees of those which the posting answered: of a
 * repeated posting those of its first time, and none that were written since.
 */
export async function findAsPosted(
  db: Executor,
  { partner, posted: { id, entries } }: { partner: string; posted: Pick<Posted, 'id' | 'entries'> },
): Promise<TransactionWithEntry> {
  const found = await selectAsPosted(db, { partner, id, accounts: entries.map((one) => one.account) });
  if (found === undefined) throw new Error(`there is no transaction ${id}`);
  return found;
}

/** Where it moved two wallets of the partner, the entry is that of the wallet which the money left. */
function selectSeen(
  db: Database,
  { partner }: Pick<OfPartner, 'partner'>,
  condition: SQL | undefined,
  ofEntries?: SQL,
) {
  const wallets = db
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.id, entry.accountId), eq(account.partnerId, partner), eq(account.kind, 'WALLET')));
  return db
    .select({ transaction, entry })
    .from(transaction)
    .leftJoin(entry, and(eq(entry.transactionId, transaction.id), exists(wallets), ofEntries))
    .where(condition)
    .orderBy(transaction.id, entry.leg)
    .limit(1);
}

/** Whose references are looked for: an owner's, or of those that are of all partners, one partner's. */
export interface Named {
  /** Absent: whoever's; then the namers are not the partners. */
  owner?: string | undefined;
  references: readonly string[];
  partner?: string | undefined;
  namers?: readonly Namer[] | undefined;
}

/**
 * The transactions of references, declined ones too, newest first. Each has what it did to the first wallet that it moved; of
 * what was moved between a float and us, what it did to the float.
 */
export async function findNamed(
  db: Executor,
  { owner, references, partner, namers: of = namers }: Named,
): Promise<TransactionWithEntry[]> {
  const ofWhom = partner === undefined ? 'ofAll' : 'ofPartner';
  const select = owner === undefined ? namedByOthers[ofWhom] : namedByOwner[ofWhom];
  const found = await select(db, { owner, references, partner, namers: of });
  return found.filter((one, place) => one.transaction.id !== found[place - 1]?.transaction.id);
}

type NamedValues = { [Name in keyof Named]-?: Named[Name] };

const selectNamed = (name: string, whose: (given: Given<NamedValues>) => SQL | undefined) =>
  prepared(name, (db, given: Given<NamedValues>) => {
    const isShown = or(
      inArray(account.kind, ['WALLET', 'APPLICATION']),
      and(eq(account.kind, 'FLOAT'), inArray(transaction.type, HIDDEN_TYPES)),
    );
    const shown = db
      .select({ id: account.id })
      .from(account)
      .where(and(eq(account.id, entry.accountId), isShown));
    return db
      .select({ transaction, entry })
      .from(transaction)
      .leftJoin(entry, and(eq(entry.transactionId, transaction.id), exists(shown)))
      .where(
        and(
          whose(given),
          sql`${transaction.namer} = any(${given.namers})`,
          sql`${transaction.reference} = any(${given.references})`,
        ),
      )
      .orderBy(desc(transaction.id), entry.leg);
  });

const isOwners = ({ owner }: Given<NamedValues>) => eq(transaction.ownerId, owner);
const isOfPartner = ({ partner }: Given<NamedValues>) => eq(transaction.partnerId, partner);

const namedByOwner = {
  ofAll: selectNamed('ledger.named-by-owner', isOwners),
  ofPartner: selectNamed('ledger.named-by-owner-of-partner', (given) => and(isOwners(given), isOfPartner(given))),
};
const namedByOthers = {
  ofAll: selectNamed('ledger.named-by-others', () => isOthers),
  ofPartner: selectNamed('ledger.named-by-others-of-partner', (given) => and(isOthers, isOfPartner(given))),
};
