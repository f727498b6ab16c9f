import { and, count, desc, eq, gte, lt, or } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/personal-data.ts';
import { tagsOfCustomer } from '#modules/tags';
import { selectParts } from './store.ts';
import { tagTransaction } from './tables.ts';

/** Money that was offered to the customer's PayTag, or from it, while it was theirs. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
  const tags = await tagsOfCustomer(db, customerId);
  if (tags.length === 0) return newestOf([], 0);
  const { senderTag, receiverTag, createdAt: at } = tagTransaction;
  const isTheirs = or(
    ...tags.map(({ handle, createdAt, releasedAt }) =>
      and(
        or(eq(senderTag, handle), eq(receiverTag, handle)),
        gte(at, createdAt),
        releasedAt === null ? undefined : lt(at, releasedAt),
      ),
    ),
  );
  const items = await selectParts(db).where(isTheirs).orderBy(desc(tagTransaction.id)).limit(EXPORTED_MAX);
  const [total] = await db.select({ count: count() }).from(tagTransaction).where(isTheirs);
  const exported = items.map(({ row, senderAppName, receiverAppName }) => ({
    id: row.id,
    reference: row.reference,
    sender: { tag: row.senderTag, application: senderAppName },
    receiver: { tag: row.receiverTag, application: receiverAppName },
    amount: toMajor(row.amount),
    currency: row.currency,
    status: row.status,
    narration: row.narration,
    createdAt: row.createdAt,
    acceptedAt: row.acceptedAt,
    rejectedAt: row.rejectedAt,
    rejectionReason: row.rejectionReason,
  }));
  return newestOf(exported, total?.count ?? 0);
};
