import type { Tx } from '#lib/postgres/executor.ts';
import { ALL_PARTNERS, asMinor, assertPosted, negated, type Poster, systemAccount } from '#modules/ledger';
import { clearingAccount } from './rails.ts';
import type { ItemRow } from './store.ts';

/** Where a difference may be posted to: what nobody has explained, or what of our own it took or gave. */
export const postable = ['DIFFERENCE', 'FEE', 'COMMISSION', 'STAMP_DUTY'] as const;
export type Postable = (typeof postable)[number];

/** What the bank says of an item less what our books say: what came in is above zero. */
export const differenceOf = ({ bankAmount, ourAmount }: Pick<ItemRow, 'bankAmount' | 'ourAmount'>): bigint =>
  (bankAmount ?? 0n) - (ourAmount ?? 0n);

/** Posts what an item differs by between the clearing account of its rail and one of ours, once. @returns the transaction's id */
export async function postDifference(tx: Tx, poster: Poster, item: ItemRow, account: Postable): Promise<number> {
  const difference = differenceOf(item);
  const [clearing, ours] = [clearingAccount(item.rail), systemAccount(account, 'NGN')];
  const amount = asMinor(difference < 0n ? -difference : difference);
  const [source, destination] = difference > 0n ? [clearing, ours] : [ours, clearing];
  const type = 'ADJUSTMENT';
  const posted = assertPosted(
    await poster.tryPost(tx, {
      owner: ALL_PARTNERS,
      namer: 'OPERATOR',
      reference: `reconciliation-${item.id}`,
      type,
      amount,
      currency: 'NGN',
      source,
      destination,
      legs: [
        { account: source, amount: negated(amount) },
        { account: destination, amount },
      ],
      request: { type, account, amount, item: item.id },
    }),
  );
  return posted.id;
}
