import { z } from 'zod';
import { metadata } from '#wire/metadata.ts';
import { amountIn } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';

/** Who pays, in the words of the rails. */
const sender = z.object({ name: optional(text(200)), paytag: optional(text(40)), type: optional(text(40)) });

/** What every payment from outside says. */
export const paymentBody = z.object({
  amount: amountIn,
  reference,
  sender: sender.default({}),
  comment: optional(text(500)),
  metadata: optional(metadata),
});

/** The path of an operation on one wallet. */
export const walletParams = z.object({ reference: text(100) });

/** What a credit and a debit ask for: the same as in the partner API. */
export const movementBody = z.object({
  amount: amountIn,
  reference,
  externalReference: optional(reference),
  comment: optional(text(500)),
  metadata: optional(metadata),
});
