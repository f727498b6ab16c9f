import type { Executor } from '#lib/database.ts';
import { type Amounts, amountsOf, type Currency, currencies, findFloat } from '#modules/ledger';

export interface Float {
  currency: Currency;
  amounts: Amounts;
}

/** What a partner keeps with us, in each currency. */
export async function getFloats(db: Executor, partnerId: string): Promise<Float[]> {
  return Promise.all(
    currencies.map(async (currency) => {
      const float = await findFloat(db, partnerId, currency);
      if (float === undefined) throw new Error(`partner ${partnerId} has no ${currency} float`);
      return { currency, amounts: amountsOf(float) };
    }),
  );
}
