import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import {
  asMinor,
  type Currency,
  listTransactions,
  type Minor,
  ownKindOf,
  type TransactionFilter,
} from '#modules/ledger';
import type { Remittance } from './remit.ts';
import { remittable } from './remit.ts';

/** A remittance that was made. */
export interface Remitted extends Pick<Remittance, 'account' | 'reference'> {
  amount: Minor;
  currency: Currency;
  /** Undefined: it was made before reasons were kept with it, and stands in the audit log. */
  reason: string | undefined;
  createdAt: Date;
}

/** Remittances, newest first. */
export async function listRemittances(
  db: Executor,
  {
    limit,
    offset,
    cursor,
    isUncounted,
    ...filter
  }: Pick<TransactionFilter, 'currency' | 'from' | 'to'> & PageRequest<number>,
): Promise<Listed<Remitted, number>> {
  const page = { limit, offset, cursor, isUncounted };
  const found = await listTransactions(db, { ...filter, type: 'REMITTANCE', status: 'Successful' }, page);
  return {
    ...found,
    items: found.items.map(
      ({ transaction: { sourceId, destinationId, amount, currency, reference, comment, createdAt } }) => {
        const kinds = [sourceId, destinationId].map(ownKindOf);
        const account = remittable.find((one) => kinds.includes(one));
        if (account === undefined) throw new Error(`remittance ${reference} is of no account of ours`);
        return { account, amount: asMinor(amount), currency, reference, reason: comment ?? undefined, createdAt };
      },
    ),
  };
}
