import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { equalDigests } from '#lib/crypto/digest.ts';
import { kobo, nameText, sentWords, shownText } from '../http-client.ts';
import { isDedicated, payeeOf, type Row, recipientShape, transferEnds, transferEvents } from '../paystack-rows.ts';
import type { HookVerifier, MessageContent, ReadHook } from './port.ts';

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
  status: z.unknown().optional(),
  transfer_code: nameText(100).nullish().catch(undefined),
  recipient: recipientShape,
});

/** What names the number of ours that a payment came to. */
const receiver = z.union([z.string(), z.number()]).transform(String).nullish().catch('');

/**
 * Nothing but what its booking needs makes a payment unreadable.
 *
 * @see https://paystack.com/docs/payments/dedicated-virtual-accounts/#transaction-events
 */
const chargeShape = z.object({
  reference: nameText(300),
  amount: kobo,
  currency: nameText(10),
  status: z.literal('success').optional(),
  authorization: z
    .object({
      sender_name: sentWords,
      sender_bank: sentWords,
      sender_bank_account_number: sentWords,
      narration: sentWords,
      receiver_bank_account_number: receiver,
    })
    .partial()
    .optional()
    .catch(undefined),
  metadata: z.object({ receiver_account_number: receiver }).optional().catch(undefined),
});

const UNREADABLE = { kind: 'UNREADABLE' } as const;

/** @see https://paystack.com/docs/payments/webhooks/#supported-events */
export const readPaystack: ReadHook = (body) => {
  const message = messageShape.safeParse(parsed(body));
  if (!message.success) return { content: UNREADABLE };
  const { event, data } = message.data;
  return { event, content: contentOf(event, data) };
};

function contentOf(event: string, data: Row): MessageContent {
  if (event.startsWith('transfer.')) return transferOf(event, data);
  if (event === 'charge.success') {
    const isOurs = isDedicated(data);
    if (isOurs === undefined) return UNREADABLE;
    return isOurs ? chargeOf(data) : { kind: 'OTHER' };
  }
  if (event.startsWith('dedicatedaccount.assign.')) {
    return { kind: 'ACCOUNT', isAssigned: event === 'dedicatedaccount.assign.success' };
  }
  return { kind: 'OTHER' };
}

function transferOf(event: string, data: Row): MessageContent {
  const outcome = (['SUCCESSFUL', 'FAILED', 'REVERSED'] as const).find((one) => transferEvents[one] === event);
  const transfer = transferShape.safeParse(data);
  if (outcome === undefined || !transfer.success) return UNREADABLE;
  const { reference, amount, currency, status, transfer_code: code, recipient } = transfer.data;
  const detail = typeof status === 'string' ? shownText(`the transfer is ${status}`, DETAIL_MAX) : undefined;
  const contradictsItself = status !== undefined && transferEnds.get(status) !== outcome;
  const payee = payeeOf(recipient);
  const providerId = code ?? undefined;
  return { kind: 'TRANSFER', reference, amount, currency, outcome, contradictsItself, payee, providerId, detail };
}

function chargeOf(data: Row): MessageContent {
  const charge = chargeShape.safeParse(data);
  if (!charge.success) return UNREADABLE;
  const { reference, amount, currency, authorization: from = {}, metadata } = charge.data;
  const said = [from.receiver_bank_account_number, metadata?.receiver_account_number];
  const [accountNumber, ...others] = new Set(said.filter((one) => one !== undefined && one !== null));
  const contradictsItself = others.length > 0;
  return {
    kind: 'CHARGE',
    reference,
    amount,
    currency,
    accountNumber: contradictsItself || accountNumber === '' ? undefined : accountNumber,
    contradictsItself,
    sender: { name: from.sender_name, bank: from.sender_bank, accountNumber: from.sender_bank_account_number },
    narration: from.narration,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
