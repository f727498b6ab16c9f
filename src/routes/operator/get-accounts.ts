import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { ownAccounts } from '#modules/ledger';
import { currencyCode, toMajor } from '#wire/money.ts';
import { asFile, fileQuery, withFile } from './list-or-file.ts';

const account = z.object({
  account: z.string().meta({ example: 'FEE' }),
  currency: currencyCode,
  balance: z
    .number()
    .meta({ description: 'Below zero in a clearing account: what has come in there and not gone out' }),
});
const accounts = z.object({ items: z.array(account) });

export function getAccounts(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/accounts',
    {
      schema: {
        operationId: 'listAccounts',
        summary: 'Our own accounts: clearing of the bank and of each rail, charges, and suspense',
        querystring: fileQuery,
        response: { 200: withFile(accounts) },
      },
    },
    async ({ query }, reply) => {
      const found = await ownAccounts(db);
      const answer = { items: found.map(({ balance, ...one }) => ({ ...one, balance: toMajor(balance) })) };
      return query.format === 'csv' ? asFile(reply, 'accounts', account, answer) : answer;
    },
  );
}
