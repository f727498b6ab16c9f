import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { amountToCredit, creditMessage } from '#modules/inbox';
import { reason, text } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { messageShape, toMessage } from './shapes/message.ts';
import { idParams } from './shapes/params.ts';

const body = z.object({
  walletReference: text(100).meta({ description: 'Whose the money is' }),
  reason,
});

export function postInboxCredit(app: ZodApp, deps: DepsOf<typeof creditMessage> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /inbox/:id/credit',
    params: idParams,
    body,
    waits: ({ params: { id } }) => amountToCredit(deps, id),
    repeatable: true,
    run: async ({ params: { id }, body: given, actor }) =>
      toMessage(await creditMessage(deps, { ...given, id, actor })),
  });
  app.post(
    '/inbox/:id/credit',
    {
      schema: {
        operationId: 'creditInboxMessage',
        summary: 'Credit a wallet with a payment that came to an account number which nobody knows',
        params: idParams,
        body,
        response: {
          200: messageShape,
          202: approvalShape,
          ...failuresFor('MESSAGE_NOT_FOUND', 'MESSAGE_BOOKED', 'WALLET_NOT_FOUND', 'REFERENCE_REUSED'),
        },
      },
    },
    handle,
  );
}
