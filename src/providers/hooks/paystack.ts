import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { equalDigests } from '#lib/crypto/digest.ts';
import { payeeOf, recipientShape } from '../paystack-payee.ts';
import { kobo, nameText, shownText } from '../said-text.ts';
import type { HookVerifier, ReadHook, Told } from './port.ts';

const SIGNATURE = /^[0-9a-f]{128}$/i;
const DETAIL_MAX = 300;

/**
 * Paystack signs the bytes of each message with the secret key of the account: `x-paystack-signature` is their HMAC-SHA512.
 *
 * @param secretKeys ours at Paystack: one for each account that we have there
 * @see https://paystack.com/docs/payments/webhooks/#verify-event-origin
 */
export const paystackHooks = (secretKeys: readonly string[]): HookVerifier => ({
  name: 'paystack',
  isGenuine(body, { 'x-paystack-signature': given }) {
    if (typeof given !== 'string' || !SIGNATURE.test(given)) return false;
    const signature = Buffer.from(given, 'hex');
    return secretKeys
      .map((key) => equalDigests(createHmac('sha512', key).update(body).digest(), signature))
      .includes(true);
  },
});

const messageShape = z.object({ event: nameText(100), data: z.record(z.string(), z.unknown()) });

const transferShape = z.object({
  reference: nameText(300),
  amount: kobo,
  currency: nameText(10),
  status: z.string(),
  transfer_code: nameText(100).nullish().catch(undefined),
  recipient: recipientShape,
});

const WORDS_MAX = 500;
/** What others wrote, as far as it can be stored: money that came in is booked whatever was written. */
const words = z
  .string()
  .transform((text) => shownText(text, WORDS_MAX))
  .optional()
  .catch(undefined);

/** @see https://paystack.com/docs/payments/dedicated-virtual-accounts/#transaction-events */
const chargeShape = z.object({
  reference: nameText(300),
  amount: kobo,
  currency: nameText(10),
  status: z.literal('success'),
  authorization: z
    .object({
      sender_name: words,
      sender_bank: words,
      sender_bank_account_number: words,
      narration: words,
      receiver_bank_account_number: words,
    })
    .partial()
    .catch({}),
  metadata: z.unknown(),
});
const receiverShape = z.object({ receiver_account_number: nameText(50) });

const UNREADABLE = { kind: 'UNREADABLE' } as const;

const outcomes: Readonly<Record<string, 'SUCCESSFUL' | 'FAILED' | 'REVERSED'>> = {
  'transfer.success': 'SUCCESSFUL',
  'transfer.failed': 'FAILED',
  'transfer.reversed': 'REVERSED',
};

/** @see https://paystack.com/docs/payments/webhooks/#supported-events */
export const readPaystack: ReadHook = (body) => {
  const message = messageShape.safeParse(parsed(body));
  if (!message.success) return { told: UNREADABLE };
  const { event, data } = message.data;
  return { event, told: toldBy(event, data) };
};

function toldBy(event: string, data: Record<string, unknown>): Told {
  const outcome = outcomes[event];
  if (outcome !== undefined) {
    const transfer = transferShape.safeParse(data);
    if (!transfer.success) return UNREADABLE;
    const { reference, amount, currency, status, transfer_code: code, recipient } = transfer.data;
    const detail = shownText(`the transfer is ${status}`, DETAIL_MAX);
    const payee = payeeOf(recipient);
    return { kind: 'TRANSFER', reference, amount, currency, outcome, payee, providerId: code ?? undefined, detail };
  }
  if (event === 'charge.success' && data['channel'] === 'dedicated_nuban') return chargeOf(data);
  if (event.startsWith('dedicatedaccount.assign.')) {
    return { kind: 'ACCOUNT', isAssigned: event === 'dedicatedaccount.assign.success' };
  }
  return { kind: 'OTHER' };
}

function chargeOf(data: Record<string, unknown>): Told {
  const charge = chargeShape.safeParse(data);
  if (!charge.success) return UNREADABLE;
  const { reference, amount, currency, authorization: from, metadata } = charge.data;
  const number = from.receiver_bank_account_number ?? receiverShape.safeParse(metadata).data?.receiver_account_number;
  return {
    kind: 'CHARGE',
    reference,
    amount,
    currency,
    accountNumber: number ?? undefined,
    sender: {
      name: from.sender_name ?? undefined,
      bank: from.sender_bank ?? undefined,
      accountNumber: from.sender_bank_account_number ?? undefined,
    },
    narration: from.narration ?? undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
