import { and, desc, eq, exists, gte, inArray, isNotNull, lte, notInArray, or, type SQL, sql } from '#drizzle';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import type { Account } from './accounts.ts';
import { type Namer, namers, type Posted, type TransactionType } from './posting.ts';
import { account, entry, hold, transaction } from './tables.ts';

export type TransactionRow = typeof transaction.$inferSelect;

export type EntryRow = typeof entry.$inferSelect;

/** A transaction, with its entry for a wallet of the reading partner, if it moved one. */
export interface TransactionWithEntry {
  transaction: TransactionRow;
  entry: EntryRow | null;
}

/** Movements between a partner's float and us, hidden from partners. */
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

// A literal, so that PostgreSQL chooses the partial index.
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
 * The transaction of a posting, with the entry that its partner sees among those of the posting's result: a repeated posting
 * shows those of the first time, without later ones.
 */
export async function findAsPosted(
  db: Executor,
  { partner, posted: { id, entries } }: { partner: string; posted: Pick<Posted, 'id' | 'entries'> },
): Promise<TransactionWithEntry> {
  const found = await selectAsPosted(db, { partner, id, accounts: entries.map((one) => one.account) });
  if (found === undefined) throw new Error(`there is no transaction ${id}`);
  return found;
}

/** For a transfer between two wallets of the partner, the entry is that of the paying wallet. */
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

/** Which references to look up: those of an owner, or the shared ones of rails, perhaps of one partner. */
export interface Named {
  /** Absent: any owner; then the namers are not partners. */
  owner?: string | undefined;
  references: readonly string[];
  partner?: string | undefined;
  namers?: readonly Namer[] | undefined;
}

/**
 * The transactions of references, declined ones included, newest first; each with the entry of the first wallet that it moved,
 * or of the float, where it moved between a float and us.
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

/** At most so many refunds of a transaction are shown. */
const FOLLOWING_MAX = 100;

/** At most so many partners' transactions with one reference are found. */
const NAMED_MAX = 1_000;

/** An entry and its account. */
export interface NamedEntry {
  entry: EntryRow;
  account: Pick<typeof account.$inferSelect, 'kind' | 'reference' | 'partnerId' | 'currency'>;
}

export type HoldRow = typeof hold.$inferSelect;

/** What belongs to a transaction. */
export interface TransactionParts {
  /** In the order of posting; the last ones settle money from suspense. */
  entries: NamedEntry[];
  /** The transaction that it refunds or reverses. */
  original: TransactionRow | undefined;
  /** Its refunds and reversals, refused ones included, newest first, at most a hundred. */
  following: TransactionRow[];
  /** The hold of a two-step posting. */
  hold: HoldRow | undefined;
}

/** Everything in the books that belongs to a transaction. */
export async function partsOf(db: Executor, { id, originalId, holdId }: TransactionRow): Promise<TransactionParts> {
  const [entries, original, following, held] = await Promise.all([
    selectEntries(db, { id }),
    originalId === null ? undefined : selectById(db, { id: originalId }),
    selectFollowing(db, { id }),
    holdId === null ? undefined : selectHold(db, { id: holdId }),
  ]);
  return { entries, original, following, hold: held };
}

const selectEntries = prepared('ledger.entries-of', (db, given: Given<{ id: number }>) =>
  db
    .select({
      entry,
      account: {
        kind: account.kind,
        reference: account.reference,
        partnerId: account.partnerId,
        currency: account.currency,
      },
    })
    .from(entry)
    .innerJoin(account, eq(account.id, entry.accountId))
    .where(eq(entry.transactionId, given.id))
    .orderBy(entry.leg),
);

/** A transaction by our id. */
const selectById = preparedOne('ledger.transaction-by-id', (db, given: Given<{ id: number }>) =>
  db.select().from(transaction).where(eq(transaction.id, given.id)),
);

const selectFollowing = prepared('ledger.transactions-after', (db, given: Given<{ id: number }>) =>
  db
    .select()
    .from(transaction)
    .where(eq(transaction.originalId, given.id))
    .orderBy(desc(transaction.id))
    .limit(FOLLOWING_MAX),
);

const selectHold = preparedOne('ledger.hold-by-id', (db, given: Given<{ id: number }>) =>
  db.select().from(hold).where(eq(hold.id, given.id)),
);

/**
 * The transactions, declined ones included, that partners gave this reference, newest first. It looks up each partner, since no
 * index is on references alone.
 */
export async function findNamedByPartners(db: Executor, reference: string): Promise<TransactionWithEntry[]> {
  return selectNamedByPartners(db, { reference });
}

const selectNamedByPartners = prepared('ledger.named-by-partners', (db, given: Given<{ reference: string }>) =>
  db
    .select({ transaction, entry })
    .from(transaction)
    .leftJoin(
      entry,
      and(
        eq(entry.transactionId, transaction.id),
        sql`${entry.leg} = (select min(e.leg) from ledger.entry e join ledger.account a on a.id = e.account_id
          where e.transaction_id = ${transaction.id} and a.kind in ('WALLET', 'APPLICATION'))`,
      ),
    )
    .where(
      sql`${transaction.id} in (
        select t.id from ledger.account f cross join lateral (
            select x.id from ledger.transaction x
             where x.owner_id = f.partner_id and x.namer = 'PARTNER' and x.reference = ${given.reference} offset 0) t
          where f.kind = 'FLOAT' and f.currency = 'NGN' limit ${sql.raw(String(NAMED_MAX))})`,
    )
    .orderBy(desc(transaction.id)),
);

/** The account of a wallet, by the wallet's reference; `version` is the number of its last entry. */
export async function findWalletAccount(
  db: Executor,
  reference: string,
): Promise<{ id: number; version: number } | undefined> {
  return selectWalletAccount(db, { reference });
}

const selectWalletAccount = preparedOne('ledger.wallet-account', (db, given: Given<{ reference: string }>) =>
  db
    .select({ id: account.id, version: account.version })
    .from(account)
    .where(and(eq(account.kind, 'WALLET'), eq(account.reference, given.reference))),
);

/** A transaction and its entry for one account. */
export interface Movement {
  transaction: TransactionRow;
  entry: EntryRow;
}

/**
 * A page of a strict account's history, newest first. Entries are found by number, so a page costs the same
 * however long the history is. `version` is the number of entries.
 */
export async function historyOf(
  db: Executor,
  { id, version }: Pick<Account, 'id' | 'version'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<Movement[]> {
  const last = version - offset;
  return selectMovements(db, { account: id, first: last - limit + 1, last });
}

const selectMovements = prepared(
  'ledger.history',
  (db, given: Given<{ account: number; first: number; last: number }>) =>
    db
      .select({ transaction, entry })
      .from(entry)
      .innerJoin(transaction, eq(transaction.id, entry.transactionId))
      .where(and(eq(entry.accountId, given.account), gte(entry.version, given.first), lte(entry.version, given.last)))
      .orderBy(desc(entry.version)),
);
