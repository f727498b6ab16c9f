import { desc, eq, inArray } from '#drizzle';
import { type EraseOf, EXPORTED_MAX, type ExportOf, type OfCustomer } from '#lib/personal-data.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import { partnerWallet } from '#modules/wallets';
import { paper, requested } from './tables.ts';

/** The statements that the customer asked to be prepared, and those that were given out. */
export const exportOf: ExportOf = async ({ db }, customerId) =>
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
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
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
