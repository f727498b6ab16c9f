import { desc, eq } from '#drizzle';
import { type EraseOf, EXPORTED_MAX, type ExportOf } from '#lib/personal-data.ts';
import { partner } from '#modules/partners';
import { notice } from './tables.ts';
import { RECIPIENT_PURPOSE } from './tell-customer.ts';

/** What the customer was told of their PayTag; of what is not sent yet, also where it goes. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const found = await db
    .select({ row: notice, partner: partner.name })
    .from(notice)
    .leftJoin(partner, eq(partner.id, notice.partnerId))
    .where(eq(notice.customerId, customerId))
    .orderBy(desc(notice.id))
    .limit(EXPORTED_MAX);
  return found.map(({ row: { kind, channel, recipientSealed, detail, happenedAt, sentAt }, partner: name }) => ({
    kind,
    channel,
    recipient: recipientSealed === null ? undefined : keyring.open(RECIPIENT_PURPOSE, recipientSealed),
    partner: name,
    detail,
    happenedAt,
    sentAt,
  }));
};

/** What the customer was told, or was to be. */
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await tx.delete(notice).where(eq(notice.customerId, customerId));
};
