import { z } from 'zod';
import { amountIn } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';

export const movementParams = z.object({ reference: text(100) });

/** What a credit and a debit ask for. */
export const movementBody = z.object({
  amount: amountIn,
  reference,
  externalReference: optional(reference),
  comment: optional(text(500)),
  metadata: optional(z.record(z.string(), z.unknown())),
});
