import { z } from 'zod';
import { amountIn, amountOut, currencyCode } from '#wire/money.ts';
import { optionalReason, reference } from '#wire/text.ts';

/** Money that the operator adds to what somebody keeps with us, or takes from it. */
export const fundingBody = z.object({
  amount: amountIn,
  currency: currencyCode.default('NGN'),
  reference,
  reason: optionalReason,
});

/** What they keep with us after it. */
export const balanceShape = z.object({ currency: currencyCode, balance: amountOut });
