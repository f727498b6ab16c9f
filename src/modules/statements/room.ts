import { desc, eq, inArray } from '#drizzle';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { Room } from '#lib/room.ts';
import {
  DAY_MS,
  deletes,
  type EraseOf,
  EXPORTED_MAX,
  type ExportOf,
  type OfCustomer,
  type Retention,
  TWO_YEARS_MS,
} from '#lib/room.ts';
import { partnerWallet } from '#modules/wallets';
import { paper, requested } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'statements.paper',
    kept: 'two years after it was given out',
    why: 'a reader of one needs the last months, or a tax year',
    forget: { rows: deletes({ table: 'statements.paper', by: 'issued_at', afterMs: TWO_YEARS_MS, isImmutable: true }) },
  },
  {
    table: 'statements.requested',
    kept: '30 days',
    why: 'for so long it can be fetched',
    forget: { rows: deletes({ table: 'statements.requested', by: 'created_at', afterMs: 30 * DAY_MS }) },
  },
];

/** The statements that the customer asked to be prepared, and those that were given out. */
const exportOf: ExportOf = async ({ db }, customerId) =>
  (await Promise.all([askedFor(db, { customerId }), givenOut(db, { customerId })])).flat();

const askedFor = prepared('statements.export-requested', (db, given: OfCustomer) =>
  db
    .select({
      reference: requested.reference,
      wallet: partnerWallet.reference,
      from: requested.from,
      to: requested.to,
      format: requested.format,
      status: requested.status,
      requestedAt: requested.createdAt,
      mailedAt: requested.mailedAt,
    })
    .from(requested)
    .innerJoin(partnerWallet, eq(partnerWallet.id, requested.walletId))
    .where(eq(partnerWallet.customerId, given.customerId))
    .orderBy(desc(requested.id))
    .limit(EXPORTED_MAX),
);
const givenOut = prepared('statements.export', (db, given: OfCustomer) =>
  db
    .select({ wallet: partnerWallet.reference, from: paper.from, to: paper.to, issuedAt: paper.issuedAt })
    .from(paper)
    .innerJoin(partnerWallet, eq(partnerWallet.id, paper.walletId))
    .where(eq(partnerWallet.customerId, given.customerId))
    .orderBy(desc(paper.id))
    .limit(EXPORTED_MAX),
);

/** The statements that the customer asked to be prepared, and what is kept of those that were given out. */
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await Promise.all([eraseRequested(tx, { customerId }), erasePapers(tx, { customerId })]);
};

const walletsOf = (db: Database, { customerId }: OfCustomer) =>
  db.select({ id: partnerWallet.id }).from(partnerWallet).where(eq(partnerWallet.customerId, customerId));

const eraseRequested = prepared('statements.erase-requested', (db, given: OfCustomer) =>
  db.delete(requested).where(inArray(requested.walletId, walletsOf(db, given))),
);
const erasePapers = prepared('statements.erase', (db, given: OfCustomer) =>
  db.delete(paper).where(inArray(paper.walletId, walletsOf(db, given))),
);

const forward = preparedText<{ id: string }>(
  'statements.bring-forward',
  `update statements.requested r set created_at = r.created_at - make_interval(secs => $2)
     from wallets.partner_wallet w where w.id = r.wallet_id and w.partner_id = $1 returning r.id`,
  { writes: true },
);

/** Lets a time pass for the statements that a partner's customers have asked for: how long they are kept. For the sandbox. */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds])).length;
}

export const room: Room = { retention, exports: { statements: exportOf }, erase: eraseOf };
