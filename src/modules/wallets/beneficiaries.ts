import type { Database } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findPayee, findShown } from '#modules/customers';
import { deleteBeneficiary, type PaidLast, type Payer, selectBeneficiaries } from './beneficiary-store.ts';

/** A customer whom another customer has paid. */
export interface Beneficiary {
  paytag: string;
  name: string;
  imageUrl: string | undefined;
  lastPaidAt: Date;
}

/**
 * The customers whom a customer has paid at a partner, the latest first. `count` includes those whose PayTag was closed since; they
 * are not listed, because the handle may get another owner.
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

/** Removes one of a customer's beneficiaries at a partner; a later payment brings them back. @returns false when there was none */
export async function removeBeneficiary(
  { db }: { db: Database },
  { paytag, ...payer }: Payer & { paytag: string },
): Promise<boolean> {
  const payee = await findPayee(db, paytag);
  return payee !== undefined && deleteBeneficiary(db, payer, payee.customerId);
}
