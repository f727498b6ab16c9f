import { beforeAll, describe, expect, it } from 'vitest';
import { bookInbox } from '#modules/collections';
import { type TestPartner, useApp } from '../../support/app.ts';
import { chargeMessage } from '../../support/inbound.ts';
import { paystackAccounts } from '../../support/paystack-accounts.ts';
import { PAYSTACK_ENV, PAYSTACK_KEY, tell } from '../../support/paystack-hooks.ts';
import { useStandIn } from '../../support/provider.ts';
import { fundedWallet, newReference } from '../../support/wallets.ts';

const standIn = useStandIn();
const server = useApp(() => ({
  ...PAYSTACK_ENV,
  INBOUND_PROVIDER: 'paystack',
  INBOUND_PAYSTACK_URL: standIn.origin,
  INBOUND_PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
  FEE_STAMP_DUTY: '50>=1000',
}));
let paystack: ReturnType<typeof paystackAccounts>;
let partner: TestPartner;
let wallet: string;
let accountNumber: string;

beforeAll(async () => {
  paystack = paystackAccounts(standIn.receiver);
  ({ partner, wallet } = await fundedWallet(server, 1_000));
  accountNumber = (await assign(wallet)).json().AccountNumber;
});

const assign = (reference: string) =>
  server.call('POST', `/v2/partner/wallet/${reference}/account`, { headers: partner.headers });
const walletNow = async () =>
  (await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers })).json().Wallet;
const messageOf = async (reference: string) =>
  (await server.operate('GET', `/inbox?reference=${reference}`)).json().items[0];
const posted = async (reference: string) =>
  (await server.owner.query(`select * from ledger.transaction where external_reference = $1`, [reference])).rows;

async function work(): Promise<void> {
  server.clock.advance(4_000);
  await bookInbox(server.resources);
}

async function paid(given: Partial<Parameters<typeof chargeMessage>[0]> = {}) {
  const reference = newReference();
  await tell(server, chargeMessage({ accountNumber, reference, ...given }));
  await work();
  return { reference, message: await messageOf(reference) };
}

describe('an account number', () => {
  it('is the provider’s, is listed, and is the same however often it is asked for', async () => {
    const first = await assign(wallet);
    expect([first.statusCode, first.json()]).toMatchObject([
      200,
      { AccountNumber: '9930000000', BankName: 'Paystack-Titan', BankCode: '100039', Provider: 'paystack' },
    ]);
    expect((await assign(wallet)).json()).toEqual(first.json());
    const url = `/v2/partner/wallet/${wallet}/account`;
    const listed = (await server.call('GET', url, { headers: partner.headers })).json();
    expect(listed).toEqual({ items: [first.json()], count: 1 });
    expect(paystack.accounts).toHaveLength(1);
  });

  it('is not asked for a second time while one in the provider’s list cannot be read', async () => {
    const { partner: another, wallet: other } = await fundedWallet(server, 10);
    const ask = () => server.call('POST', `/v2/partner/wallet/${other}/account`, { headers: another.headers });
    const before = paystack.accounts.length;
    paystack.loseNext();
    await ask();
    for (const odd of [{ account_number: 9_930_000_000 }, { account_name: null }, { bank: null }, { active: 'yes' }]) {
      paystack.writes(odd);
      const answer = await ask();
      expect([answer.statusCode, answer.json().errorCode]).toEqual([502, 'INBOUND_PROVIDER_UNAVAILABLE']);
    }
    paystack.writes({});
    expect((await ask()).statusCode).toBe(200);
    expect(paystack.accounts).toHaveLength(before + 1);
  });

  it('is found again, when the answer was lost on its way, and not asked for twice at once', async () => {
    const { partner: another, wallet: other } = await fundedWallet(server, 10);
    const url = `/v2/partner/wallet/${other}/account`;
    const ask = () => server.call('POST', url, { headers: another.headers });
    const before = paystack.accounts.length;
    paystack.loseNext();
    const lost = await ask();
    expect([lost.statusCode, lost.json().errorCode]).toEqual([502, 'INBOUND_PROVIDER_UNAVAILABLE']);
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0);
    for (const { statusCode } of answers) expect([200, 503]).toContain(statusCode);
    expect((await ask()).statusCode).toBe(200);
    expect(paystack.accounts).toHaveLength(before + 1);
  });

  it('is given to no wallet of another partner, and to none that is not there', async () => {
    const stranger = await server.newPartner();
    for (const method of ['GET', 'POST'] as const) {
      const answer = await server.call(method, `/v2/partner/wallet/${wallet}/account`, { headers: stranger.headers });
      expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'WALLET_NOT_FOUND']);
    }
  });

  it('is sealed where it is stored', async () => {
    const { rows } = await server.owner.query(`select a::text as row from inbound_accounts.account a`);
    for (const { row } of rows) expect(row).not.toContain('99300');
  });
});

describe('what is paid to it', () => {
  it('reaches the wallet once, with its sender, less stamp duty, whatever comes twice', async () => {
    const before = await walletNow();
    const { reference, message } = await paid();
    expect(message).toMatchObject({
      state: 'BOOKED',
      kind: 'CHARGE',
      amount: 2500,
      senderBank: 'First City Monument Bank',
    });
    await tell(server, `${chargeMessage({ accountNumber, reference })} `);
    await work();
    expect((await walletNow()).TotalAmount).toBe(before.TotalAmount + 2450);
    const [transaction, ...others] = await posted(reference);
    expect(others).toEqual([]);
    expect(transaction).toMatchObject({ type: 'INBOUND', status: 'Successful', comment: 'NIP: RHODA CHURCH' });
    const { items } = (await server.operate('GET', '/accounts')).json();
    const ours = items.find(
      ({ account, currency }: { account: string; currency: string }) =>
        account === 'CLEARING_COLLECTION' && currency === 'NGN',
    );
    expect(ours.balance).toBeLessThan(0);
  });

  it('waits in suspense while the wallet takes nothing in, and is credited by itself', async () => {
    const before = await walletNow();
    await server.operate('PATCH', `/wallets/${wallet}`, { status: 'PNC', reason: 'a test' });
    const { reference, message } = await paid({ amount: 50_000 });
    expect(message.state).toBe('BOOKED');
    expect(await posted(reference)).toMatchObject([{ status: 'Pending', pending_reason: 'WALLET_PNC' }]);
    await server.operate('PATCH', `/wallets/${wallet}`, { status: 'Enabled', reason: 'a test' });
    expect((await server.operate('GET', '/ledger/check')).json().ok).toBe(true);
    expect((await walletNow()).TotalAmount).toBeGreaterThanOrEqual(before.TotalAmount);
  });

  it.each([
    ['in another currency', { currency: 'USD' }, 'CURRENCY_DIFFERS'],
    ['of nothing', { amount: 0 }, 'AMOUNT_ZERO'],
    ['to a number that we do not know', { accountNumber: '9911111111' }, 'ACCOUNT_UNKNOWN'],
  ])('%s is kept, changes nothing, and is shown', async (_, given, difference) => {
    const before = await walletNow();
    const { reference, message } = await paid(given);
    expect(message).toMatchObject({ state: 'DIFFERENT', difference });
    expect(await posted(reference)).toEqual([]);
    expect(await walletNow()).toEqual(before);
  });

  it('under the reference of another amount is shown as a difference', async () => {
    const { reference } = await paid();
    const before = await walletNow();
    await tell(server, chargeMessage({ accountNumber, reference, amount: 1 }));
    await work();
    expect(await messageOf(reference)).toMatchObject({ state: 'DIFFERENT', difference: 'AMOUNT_DIFFERS' });
    expect(await walletNow()).toEqual(before);
  });

  async function anotherNumber(): Promise<string> {
    const { partner: another, wallet: other } = await fundedWallet(server, 10);
    const url = `/v2/partner/wallet/${other}/account`;
    return (await server.call('POST', url, { headers: another.headers })).json().AccountNumber;
  }

  it.each([
    ['another wallet', anotherNumber],
    ['a number that we do not know', async () => '9911111111'],
  ])('under the reference of what came before, for %s, is shown as a difference', async (_, number) => {
    const { reference } = await paid();
    const before = await walletNow();
    await tell(server, chargeMessage({ accountNumber: await number(), reference }));
    await work();
    const { id, ...message } = await messageOf(reference);
    expect(message).toMatchObject({ state: 'DIFFERENT', difference: 'ACCOUNT_DIFFERS' });
    const decided = { walletReference: wallet, reason: 'another of the same reference' };
    expect((await server.operate('POST', `/inbox/${id}/credit`, decided)).statusCode).toBe(409);
    expect([await posted(reference), await walletNow()]).toMatchObject([{ length: 1 }, before]);
  });

  it('that names two accounts is credited to neither, and not for the reference of one that was', async () => {
    const other = await anotherNumber();
    for (const [authorized, meta] of [
      [accountNumber, other],
      [other, accountNumber],
      [accountNumber, '9911111111'],
      [Number(other), accountNumber],
      [accountNumber, 7],
    ]) {
      for (const earlier of [false, true]) {
        const reference = earlier ? (await paid()).reference : newReference();
        const before = await walletNow();
        const both = without(chargeMessage({ accountNumber, reference }), ({ authorization, metadata }) => {
          Object.assign(authorization, { receiver_bank_account_number: authorized });
          Object.assign(metadata, { receiver_account_number: meta });
        });
        await tell(server, both);
        await work();
        expect(await messageOf(reference)).toMatchObject({ state: 'DIFFERENT', difference: 'ACCOUNT_DIFFERS' });
        expect([await posted(reference), await walletNow()]).toMatchObject([{ length: earlier ? 1 : 0 }, before]);
      }
    }
  });

  it('and that operators have credited is the same when it is told again', async () => {
    const { reference, message } = await paid({ accountNumber: '9911111111' });
    const decided = { walletReference: wallet, reason: 'the sender’s bank says so' };
    await server.operate('POST', `/inbox/${message.id}/credit`, decided);
    await tell(server, `${chargeMessage({ accountNumber: '9911111111', reference })} `);
    await work();
    expect(await messageOf(reference)).toMatchObject({ state: 'BOOKED' });
    expect(await posted(reference)).toHaveLength(1);
  });

  it.each([['x'.repeat(5_000)], [7], [null]])('reaches the wallet whatever its sender wrote', async (narration) => {
    const { reference, message } = await paid({ narration });
    expect(message.state).toBe('BOOKED');
    expect(await posted(reference)).toHaveLength(1);
  });

  type Said = Record<'authorization' | 'metadata', object> & Record<string, unknown>;
  const without = (message: string, change: (data: Said) => void): string => {
    const told = JSON.parse(message);
    change(told.data);
    return JSON.stringify(told);
  };
  it.each<[what: string, change: (data: Said) => void]>([
    ['no metadata', (data) => Object.assign(data, { metadata: undefined })],
    ['a metadata of words', (data) => Object.assign(data, { metadata: 'none' })],
    ['no authorization, but the number in its metadata', (data) => Object.assign(data, { authorization: null })],
    ['an authorization that is a text', (data) => Object.assign(data, { authorization: 'AUTH_0ozsafcpdf' })],
    ['a sender that is a number', (data) => Object.assign(data.authorization, { sender_name: 5 })],
    ['a sender’s bank that is none', (data) => Object.assign(data.authorization, { sender_bank: null })],
    [
      'an account number that is a number, and that of its metadata',
      (data) => Object.assign(data.authorization, { receiver_bank_account_number: Number(accountNumber) }),
    ],
    ['no status', (data) => Object.assign(data, { status: undefined })],
    ['no channel, but that of its authorization', (data) => Object.assign(data, { channel: undefined })],
    ['a channel that is a number', (data) => Object.assign(data, { channel: 3 })],
    [
      'nothing that names its channel, but an account number',
      (data) => {
        Object.assign(data, { channel: undefined });
        Object.assign(data.authorization, { channel: undefined });
      },
    ],
  ])('reaches the wallet with %s', async (_what, change) => {
    const reference = newReference();
    await tell(server, without(chargeMessage({ accountNumber, reference }), change));
    await work();
    expect(await messageOf(reference)).toMatchObject({ state: 'BOOKED', amount: 2500 });
    expect(await posted(reference)).toHaveLength(1);
  });

  it('can be credited by operators where nothing names its account number, or two names differ', async () => {
    for (const [difference, change] of [
      ['ACCOUNT_UNKNOWN', (data: Said) => void Object.assign(data, { authorization: undefined, metadata: undefined })],
      ['ACCOUNT_DIFFERS', (data: Said) => void Object.assign(data.metadata, { receiver_account_number: '9911111111' })],
    ] as const) {
      const reference = newReference();
      await tell(server, without(chargeMessage({ accountNumber, reference }), change));
      await work();
      const { id, ...message } = await messageOf(reference);
      expect(message).toMatchObject({ state: 'DIFFERENT', difference });
      const decided = { walletReference: wallet, reason: 'the sender’s bank says so' };
      expect((await server.operate('POST', `/inbox/${id}/credit`, decided)).json().state).toBe('BOOKED');
      expect(await posted(reference)).toHaveLength(1);
    }
  });

  it.each<[what: string, change: (data: Said) => void]>([
    [
      'a channel that nothing names',
      (data) => Object.assign(data, { channel: undefined, authorization: null, metadata: null }),
    ],
    ['a status that says otherwise', (data) => Object.assign(data, { status: 'failed' })],
    ['no amount', (data) => Object.assign(data, { amount: undefined })],
    ['a currency that is a number', (data) => Object.assign(data, { currency: 566 })],
  ])('with %s is kept as UNREADABLE, and not ignored', async (_what, change) => {
    const reference = newReference();
    await tell(server, without(chargeMessage({ accountNumber, reference }), change));
    await work();
    const { items } = (await server.operate('GET', '/inbox?state=DIFFERENT')).json();
    expect(items[0]).toMatchObject({ event: 'charge.success', difference: 'UNREADABLE' });
    expect(await posted(reference)).toEqual([]);
  });

  it('and was reported by hand is not booked again', async () => {
    const [reference, before] = [newReference(), await walletNow()];
    const report = { type: 'INBOUND', nuban: before.Nuban, amount: 2500, reference, sender: { name: 'R' } };
    await server.operate('POST', '/transactions', report);
    await tell(server, chargeMessage({ accountNumber, reference }));
    await work();
    expect(await messageOf(reference)).toMatchObject({ state: 'DIFFERENT', difference: 'REPORTED_ALREADY' });
    expect((await walletNow()).TotalAmount).toBe(before.TotalAmount + 2450);
  });

  it('by card is none of ours', async () => {
    const reference = newReference();
    await tell(server, chargeMessage({ accountNumber, reference, channel: 'card' }));
    await work();
    const { items } = (await server.operate('GET', '/inbox?state=IGNORED')).json();
    expect(items[0]).toMatchObject({ event: 'charge.success', kind: 'OTHER' });
    expect(await posted(reference)).toEqual([]);
  });
});

it('the books hold after all of it', async () => {
  expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
});
