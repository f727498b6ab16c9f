import { desc, eq } from '#drizzle';
import { type EraseOf, EXPORTED_MAX, type ExportOf, type OfCustomer } from '#lib/personal-data.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import { partner } from '#modules/partners';
import { notice } from './tables.ts';
import { recipientOf } from './tell-customer.ts';

/** What the customer was told of their PayTag; of what is not sent yet, also where it goes. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const found = await told(db, { customerId });
  return found.map(({ row, partner: name }) => ({
    kind: row.kind,
    channel: row.channel,
    recipient: recipientOf(keyring, row),
    partner: name,
    detail: row.detail,
    happenedAt: row.happenedAt,
    sentAt: row.sentAt,
  }));
};

const told = prepared('notices.export', (db, given: OfCustomer) =>
  db
    .select({ row: notice, partner: partner.name })
    .from(notice)
    .leftJoin(partner, eq(partner.id, notice.partnerId))
    .where(eq(notice.customerId, given.customerId))
    .orderBy(desc(notice.id))
    .limit(EXPORTED_MAX),
);

/** What the customer was told, or was to be. */
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('notices.erase', (db, given: OfCustomer) =>
  db.delete(notice).where(eq(notice.customerId, given.customerId)),
);
