import type { Transact } from '#lib/postgres/transact.ts';
import { bookInbox, creditMessage, receiveMessage } from '#modules/collections';
import type { TestApp } from './app.ts';
import { newReference } from './wallets.ts';

interface Charge {
  reference?: string;
  /** Kobo. */
  amount?: number;
  currency?: string;
  accountNumber: string;
  channel?: string;
  narration?: unknown;
}

/** What Paystack tells of a payment to one of its account numbers. @see https://paystack.com/docs/payments/dedicated-virtual-accounts/ */
export const chargeMessage = ({
  reference = newReference(),
  amount = 250_000,
  currency = 'NGN',
  accountNumber,
  channel = 'dedicated_nuban',
  narration = 'NIP: RHODA CHURCH',
}: Charge): string =>
  JSON.stringify({
    event: 'charge.success',
    data: {
      id: 1_253_872_410,
      domain: 'live',
      status: 'success',
      reference,
      amount,
      message: null,
      gateway_response: 'Approved',
      paid_at: '2026-02-01T08:00:00.000Z',
      created_at: '2026-02-01T08:00:00.000Z',
      channel,
      currency,
      ip_address: null,
      metadata: { receiver_account_number: accountNumber, receiver_bank: 'Paystack-Titan', custom_fields: [] },
      fees: 1000,
      authorization: {
        authorization_code: 'AUTH_0ozsafcpdf',
        bin: '413XXX',
        last4: 'X011',
        channel: 'dedicated_nuban',
        card_type: 'transfer',
        bank: 'First City Monument Bank',
        country_code: 'NG',
        brand: 'Managed Account',
        reusable: false,
        signature: null,
        sender_bank: 'First City Monument Bank',
        sender_bank_account_number: 'XXXXXX0011',
        sender_country: 'NG',
        sender_name: 'RANDALL AKANBI HORTON',
        narration,
        receiver_bank_account_number: accountNumber,
        receiver_bank: 'Paystack-Titan',
      },
      customer: { id: 7_454_289, email: 'pw@paytag.example', customer_code: 'CUS_kpb3qj71u1m0rw8' },
    },
  });

/** What the simulator tells of 100 naira that came to an account number which nobody knows. */
export const unknownCharge = (reference: string): Buffer => {
  const said = { reference, amount: 10_000, currency: 'NGN', accountNumber: '9000000000' };
  return Buffer.from(JSON.stringify({ ...said, sender: { name: 'Randall Horton' } }));
};

/** A payment of 100 naira that came to an account number which nobody knows: the id of its message. */
export async function unknownPayment(server: TestApp, reference: string = newReference()): Promise<string> {
  const body = unknownCharge(reference);
  await receiveMessage(server.resources, { provider: 'simulator', origin: 'HOOK', body });
  server.clock.advance(1_000);
  await bookInbox(server.resources);
  const { rows } = await server.owner.query<{ id: string }>('select id from inbox.message where reference = $1', [
    reference,
  ]);
  return String(rows[0]?.id);
}

/** What was posted of a payment under this reference of its provider, and to which wallet. */
export async function inboundsOf(server: TestApp, reference: string) {
  const { rows } = await server.owner.query<{ id: number; amount: string; wallet: string; status: string }>(
    `select t.id, t.amount, t.status, w.reference as wallet from ledger.transaction t
       join wallets.partner_wallet w on w.account_id = t.destination_id where t.external_reference = $1`,
    [reference],
  );
  return rows;
}

/** Whoever uses it dies so often: before anything is written, or before it knows that it is. */
export function dyingTransact(transact: Transact, deaths: number): Transact {
  let left = deaths;
  return async (work) => {
    const dies = left-- > 0;
    if (dies && left % 2 === 0) throw new Error('the worker died');
    const done = await transact(work);
    if (dies) throw new Error('the worker died afterwards');
    return done;
  };
}

/** Operators credit one of these payments, of those that came to a number which nobody knows: its reference. */
export async function creditUnknown(
  server: TestApp,
  { references, which, wallet }: { references: string[]; which: number; wallet: string },
): Promise<string | undefined> {
  const { rows } = await server.owner.query<{ id: string; reference: string }>(
    `select id, reference from inbox.message where difference = 'ACCOUNT_UNKNOWN' and reference = any ($1)`,
    [references],
  );
  const row = rows[which % Math.max(1, rows.length)];
  if (row === undefined) return undefined;
  const decided = { id: row.id, walletReference: wallet, actor: 'two operators', reason: 'the sender says so' };
  await creditMessage(server.resources, decided);
  return row.reference;
}
