import type { Database } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findShown } from '#modules/customers';
import { type PaidLast, type Payer, selectBeneficiaries } from './beneficiary-store.ts';

/** Somebody a customer has paid. */
export interface Beneficiary {
  paytag: string;
  name: string;
  imageUrl: string | undefined;
  lastPaidAt: Date;
}

/**
 * Whom a customer has paid at a partner, those paid last first. `count` is of all of them, also of those whose PayTag was
 * closed since, who are not listed: the handle may be somebody else's one day.
 */
export async function listBeneficiaries(
  { db, readLong }: { db: Database; readLong: ReadLong },
  { partnerId, customerId, ...page }: Payer & PageRequest<PaidLast>,
): Promise<Listed<Beneficiary, PaidLast>> {
  const { items, ...found } = await readLong(`customer:${customerId}`, async (long) =>
    selectBeneficiaries(long, { partnerId, customerId }, page),
  );
  const ids = items.map(({ payeeId }) => payeeId);
  const payTags = await findShown(db, ids);
  const listed = items.flatMap(({ payeeId, lastPaidAt }) => {
    const payTag = payTags.get(payeeId);
    return payTag?.tag === undefined
      ? []
      : [{ paytag: payTag.tag, name: payTag.name, imageUrl: payTag.imageUrl, lastPaidAt }];
  });
  return { items: listed, ...found };
}
