import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { floatsOf } from '#modules/ledger';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { balances, toBalances } from '#wire/wallet.ts';

const floatShape = z
  .object({
    Currency: currencyCode,
    Balance: amountOut.meta({ description: 'What can be paid out: AvailableAmount' }),
    ...balances,
  })
  .meta({ id: 'Float' });

export function getFloat(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/float',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'getFloat',
        summary: 'What this partner keeps with us, in each currency',
        security: partnerOnly,
        response: { 200: z.object({ items: z.array(floatShape) }) },
      },
    },
    async (request) => {
      const floats = await floatsOf(db, partnerOf(request).id);
      const items = floats.map(({ currency, amounts }) => ({
        Currency: currency,
        Balance: toMajor(amounts.available),
        ...toBalances(amounts),
      }));
      return { items };
    },
  );
}
