import { createHmac } from 'node:crypto';
import { sendPayouts } from '#modules/payouts';
import type { Answer, TestApp } from './app.ts';
import { ACCOUNT, scriptedProvider } from './payouts.ts';
import { newReference } from './wallets.ts';

export const PAYSTACK_KEY = 'sk_test_of_the_hooks';

/** A server whose payouts Paystack carries. Nothing of it is reached. */
export const PAYSTACK_ENV = {
  PAYOUT_PROVIDER: 'paystack',
  PAYOUT_PAYSTACK_URL: 'http://127.0.0.1:9',
  PAYOUT_PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
};

export const signatureOf = (body: string, key = PAYSTACK_KEY): string =>
  createHmac('sha512', key).update(body).digest('hex');

/** Sends what Paystack would: signed, unless another signature is given. */
export const tell = (
  server: TestApp,
  body: string,
  signature: string | undefined = signatureOf(body),
): Promise<Answer> =>
  server.call('POST', '/hooks/paystack', {
    headers: { 'content-type': 'application/json', ...(signature === '' ? {} : { 'x-paystack-signature': signature }) },
    payload: body,
  });

interface Transfer {
  reference: string;
  /** Kobo. */
  amount: number;
  currency?: string;
  bankCode?: string | null;
  accountNumber?: string;
  /** Null: its recipient is named without its account. */
  details?: null;
}

/** What Paystack tells of a transfer. @see https://paystack.com/docs/payments/webhooks/#types-of-events */
export const transferMessage = (
  what: 'success' | 'failed' | 'reversed',
  { reference, amount, currency = 'NGN', bankCode = '058', accountNumber = '0123456789', details }: Transfer,
): string =>
  JSON.stringify({
    event: `transfer.${what}`,
    data: {
      amount,
      createdAt: '2026-02-01T08:00:00.000Z',
      currency,
      domain: 'test',
      failures: null,
      id: 37_272_792,
      integration: { id: 463_433, is_live: true, business_name: 'PayTag', logo_path: 'https://example.com/logo.png' },
      reason: 'PayTag payout',
      reference,
      source: 'balance',
      source_details: null,
      status: what,
      titan_code: null,
      transfer_code: 'TRF_wpl1dem4967avzm',
      transferred_at: null,
      recipient: {
        active: true,
        currency: 'NGN',
        name: 'CHIDI OKAFOR',
        recipient_code: 'RCP_a8wkxiychzdzfgs',
        type: 'nuban',
        details:
          details === null
            ? undefined
            : {
                account_number: accountNumber,
                account_name: null,
                bank_code: bankCode,
                bank_name: 'Guaranty Trust Bank',
              },
      },
      session: { provider: null, id: null },
      created_at: '2026-02-01T08:00:00.000Z',
      updated_at: '2026-02-01T08:00:05.000Z',
    },
  });

/** A payout of 1,000 naira that Paystack was asked for and has not answered of: what it is called there. */
export async function sentPayout(
  server: TestApp,
  { headers, wallet }: { headers: Record<string, string>; wallet: string },
): Promise<{ id: string; reference: string; transfer: Transfer }> {
  const reference = newReference();
  await server.call('POST', `/v2/partner/wallet/${wallet}/payout`, {
    headers,
    payload: { amount: 1000, reference, ...ACCOUNT },
  });
  const { provider } = scriptedProvider({ sends: ['PENDING'] });
  await sendPayouts({ ...server.resources, payoutProvider: { ...provider, name: 'paystack' } });
  const { rows } = await server.owner.query<{ id: string; name: string }>(
    `select p.id, p.provider_reference as name from payouts.payout p
       join ledger.transaction t on t.id = p.transaction_id where t.reference = $1`,
    [reference],
  );
  const [sent] = rows;
  if (sent === undefined) throw new Error('the payout was not ordered');
  return { id: sent.id, reference, transfer: { reference: sent.name, amount: 100_000 } };
}
