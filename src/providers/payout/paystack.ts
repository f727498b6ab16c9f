import { z } from 'zod';
import {
  NoAnswer,
  nameText,
  type ProviderAnswer,
  type ProviderClient,
  shownText,
  unusableBecause,
} from '../http-client.ts';
import { payeeOf, recipientShape, transferEnds } from '../paystack-rows.ts';
import {
  comparePayee,
  PayoutDiffers,
  PayoutNotSent,
  type PayoutOrder,
  type PayoutProvider,
  type PayoutReport,
  PayoutUnknown,
} from './port.ts';

const DAY_MS = 86_400_000;
const DETAIL_MAX = 300;

const recipientMadeShape = z.object({
  status: z.literal(true),
  data: z.object({
    recipient_code: nameText(100),
    details: z.object({ account_number: z.string(), bank_code: z.string() }).partial().optional(),
  }),
});
const transferShape = z.object({
  status: z.literal(true),
  data: z.object({
    reference: z.string(),
    amount: z.int(),
    status: z.string(),
    transfer_code: nameText(100).optional().catch(undefined),
    failures: z.unknown().optional(),
  }),
});
/** A transfer names its recipient when it is asked about; when it is made, it may give a number alone. */
const payeeShape = z.object({ data: z.object({ recipient: recipientShape }) });
const refusalShape = z.object({ status: z.literal(false), message: z.string(), code: z.string().optional() });

/** A refusal after which nothing was asked for and the same may be asked again: credentials, balance, too many requests. */
const isForNow = ({ status, body }: ProviderAnswer): boolean =>
  [401, 402, 403, 429].includes(status) || refusalShape.safeParse(body).data?.code === 'insufficient_balance';

/** Paystack has had this reference before: there may be a transfer. */
const isRepeated = ({ body }: ProviderAnswer): boolean => {
  const { code = '', message = '' } = refusalShape.safeParse(body).data ?? {};
  return /duplicate/i.test(code) || /reference/i.test(message);
};

/**
 * Paystack's "Create Transfer Recipient", "Initiate Transfer" and "Verify Transfer". Transfers must not ask for an OTP, which is
 * a setting of its dashboard. Paystack carries one transfer of a reference.
 *
 * @see https://paystack.com/docs/api/transfer-recipient/#create
 * @see https://paystack.com/docs/api/transfer/#initiate
 * @see https://paystack.com/docs/api/transfer/#verify
 */
export function paystackPayout(client: ProviderClient, { secretKey }: { secretKey: string }): PayoutProvider {
  const headers = { authorization: `Bearer ${secretKey}` };
  const post = (path: string, json: unknown) => client.ask({ method: 'POST', path, headers, json });

  return {
    name: 'paystack',
    leastAmount: 10_000n,
    recheckAfterMs: DAY_MS,
    async send(order, record) {
      const { reference, amount, accountNumber, bankCode, accountName, narration } = order;
      const account = {
        type: 'nuban',
        name: accountName,
        account_number: accountNumber,
        bank_code: bankCode,
        currency: 'NGN',
      };
      const recipient = await post('/transferrecipient', account).catch((cause: unknown) => {
        throw cause instanceof NoAnswer ? new PayoutNotSent(`Paystack: ${cause.message}`, { cause }) : cause;
      });
      const found = recipientMadeShape.safeParse(recipient.body);
      if (!found.success) {
        if (isRefusal(recipient) && !isForNow(recipient)) return refused(recipient);
        throw new PayoutNotSent(`Paystack: ${unusableBecause(recipient)}`);
      }
      const { details = {} } = found.data.data;
      if ((details.account_number ?? accountNumber) !== accountNumber || (details.bank_code ?? bankCode) !== bankCode) {
        throw new PayoutNotSent('Paystack: its recipient is another account');
      }
      const transfer = { source: 'balance', amount: Number(amount), recipient: found.data.data.recipient_code };
      if (!(await record())) throw new PayoutNotSent('Paystack: another worker has taken it over');
      const answer = await post('/transfer', { ...transfer, reference, currency: 'NGN', reason: narration }).catch(
        noAnswer,
      );
      if (isRefusal(answer)) {
        if (isForNow(answer)) throw new PayoutNotSent(`Paystack: ${unusableBecause(answer)}`);
        if (!isRepeated(answer)) return refused(answer);
      }
      const report = reportOf(answer, order);
      payeeSaid(answer, order);
      return report;
    },
    async verify(order) {
      const { reference } = order;
      const path = `/transfer/verify/${encodeURIComponent(reference)}`;
      const answer = await client.ask({ method: 'GET', path, headers }).catch(noAnswer);
      if (isUnknownThere(answer)) return { state: 'NOT_FOUND' };
      const report = reportOf(answer, order);
      // What becomes of a transfer to somebody else, which it may be, is not what became of this one.
      if (payeeSaid(answer, order) === 'UNSAID')
        throw new PayoutUnknown('Paystack: its answer does not say to whom the transfer goes');
      return report;
    },
  };
}

/** A connection that was never made carried nothing. */
function noAnswer(cause: unknown): never {
  if (!(cause instanceof NoAnswer)) throw cause;
  throw cause.mayHaveArrived
    ? new PayoutUnknown(`Paystack: ${cause.message}`, { cause })
    : new PayoutNotSent(`Paystack: ${cause.message}`, { cause });
}

/** It says itself, in its own words, that it did not do what it was asked to. Any other 4xx, e.g. 408 or 409, says less. */
const isRefusal = ({ status, body }: ProviderAnswer): boolean =>
  [400, 401, 402, 403, 404, 422, 429].includes(status) && refusalShape.safeParse(body).success;

/** It has no such transfer; a path or a key that it does not know says nothing of a transfer. */
const isUnknownThere = ({ status, body }: ProviderAnswer): boolean =>
  status === 404 && /transfer/i.test(refusalShape.safeParse(body).data?.message ?? '');

const refused = ({ body }: ProviderAnswer): PayoutReport => ({
  state: 'FAILED',
  detail: shownText(refusalShape.safeParse(body).data?.message ?? '', DETAIL_MAX),
});

/** What an answer says of our transfer. @throws PayoutUnknown when it says nothing of it, PayoutDiffers when its amount is another */
function reportOf(
  answer: ProviderAnswer,
  { reference, amount }: Pick<PayoutOrder, 'reference' | 'amount'>,
): PayoutReport {
  const transfer = transferShape.safeParse(answer.body);
  if (answer.status >= 300 || !transfer.success) throw new PayoutUnknown(`Paystack: ${unusableBecause(answer)}`);
  const { data } = transfer.data;
  if (data.reference !== reference) throw new PayoutUnknown('Paystack: its answer is about another transfer');
  if (BigInt(data.amount) !== amount)
    throw new PayoutDiffers('Paystack: the transfer of this reference is of another amount');
  const state = transferEnds.get(data.status) ?? 'PENDING';
  const providerId = data.transfer_code;
  return state === 'FAILED'
    ? { state, providerId, detail: shownText(`the transfer is ${data.status}`, DETAIL_MAX) }
    : { state, providerId };
}

/**
 * After a restore a payout may be ordered again under a reference that Paystack has had before, and to another account: what
 * became of that transfer is not what became of this one.
 *
 * @throws PayoutDiffers where the answer names another bank or account
 */
function payeeSaid({ body }: ProviderAnswer, order: PayoutOrder): 'SAME' | 'UNSAID' {
  const said = comparePayee(payeeOf(payeeShape.safeParse(body).data?.data.recipient), order);
  if (said === 'DIFFERENT') throw new PayoutDiffers('Paystack: the transfer of this reference goes to another account');
  return said;
}
