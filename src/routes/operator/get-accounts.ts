import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { ownAccounts } from '#modules/ledger';
import { currencyCode, toMajor } from '#wire/money.ts';

const accounts = z.object({
  items: z.array(
    z.object({
      account: z.string().meta({ example: 'FEE' }),
      currency: currencyCode,
      balance: z
        .number()
        .meta({ description: 'Below zero in a clearing account: what has come in there and not gone out' }),
    }),
  ),
});

export function getAccounts(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/accounts',
    {
      schema: {
        operationId: 'listAccounts',
        summary: 'Our own accounts: clearing of the bank and of each rail, charges, and suspense',
        response: { 200: accounts },
      },
    },
    async () => ({
      items: (await ownAccounts(db)).map(({ balance, ...account }) => ({ ...account, balance: toMajor(balance) })),
    }),
  );
}
