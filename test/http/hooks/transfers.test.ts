import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bookInbox } from '#modules/collections';
import { correctPayout, sendPayouts } from '#modules/payouts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { chargeMessage } from '../../support/inbound.ts';
import { scriptedProvider } from '../../support/payouts.ts';
import { PAYSTACK_ENV, sentPayout, tell, transferMessage } from '../../support/paystack-hooks.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp(PAYSTACK_ENV);
let partner: TestPartner;
let wallet: string;

beforeAll(async () => {
  ({ partner, wallet } = await fundedWallet(server, 1_000_000));
});

// No test hears of what another one left to be tried again.
afterEach(async () => {
  await server.owner.query(`update inbox.message set due_at = null where state = 'DIFFERENT'`);
});

const payout = () => sentPayout(server, { headers: partner.headers, wallet });
const last = async () =>
  (await server.owner.query<{ id: string; state: string }>('select * from inbox.message order by id desc limit 1'))
    .rows[0];
const total = async () =>
  (await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers })).json().Wallet.TotalAmount;
const stateOf = async (id: string) => (await server.operate('GET', `/payouts/${id}`)).json().state;

async function work(afterMs = 4_000): Promise<void> {
  server.clock.advance(afterMs);
  await bookInbox(server.resources);
}

type What = Parameters<typeof transferMessage>[0];
type Verified = 'PENDING' | 'FAILED' | 'REVERSED' | 'SUCCESSFUL' | 'UNKNOWN' | 'DIFFERENT' | 'NOT_FOUND';

/** As `work`, where Paystack answers this whenever it is asked: how often it was. */
async function workAsking(verified: Verified, afterMs = 4_000): Promise<number> {
  const asked = scriptedProvider({ name: 'paystack', verifies: Array.from({ length: 9 }, () => verified) });
  server.clock.advance(afterMs);
  await bookInbox({ ...server.resources, payoutProvider: asked.provider });
  return asked.asked;
}

describe('what Paystack tells of a transfer', () => {
  it.each<[told: What[], state: string, moved: number]>([
    [['success'], 'SUCCESSFUL', -1000],
    [['failed'], 'FAILED', 0],
    [['reversed'], 'REVERSED', 0],
    [['success', 'reversed'], 'SUCCESSFUL', -1000],
    [['reversed', 'success'], 'REVERSED', 0],
    [['success', 'failed'], 'SUCCESSFUL', -1000],
    [['failed', 'reversed'], 'FAILED', 0],
    [['reversed', 'failed', 'success', 'reversed'], 'REVERSED', 0],
  ])('%s comes to %s, told one by one', async (told, state, moved) => {
    const before = await total();
    const { id, transfer } = await payout();
    for (const what of told) {
      await tell(server, transferMessage(what, transfer));
      await work();
    }
    expect([await stateOf(id), await total()]).toEqual([state, before + moved]);
  });

  it('moves nothing in the end when it was given back, whatever is booked first of what came at once', async () => {
    const before = await total();
    const { id, transfer } = await payout();
    for (const what of ['reversed', 'failed', 'success', 'reversed'] as const) {
      await tell(server, transferMessage(what, transfer));
    }
    await workAsking('REVERSED');
    expect(['FAILED', 'REVERSED']).toContain(await stateOf(id));
    expect(await total()).toBe(before);
  });

  it('is not taken for a payout that has ended otherwise, and is shown as a difference', async () => {
    const before = await total();
    const { id, transfer } = await payout();
    await tell(server, transferMessage('failed', transfer));
    await work();
    await tell(server, transferMessage('success', transfer));
    await work();
    expect(await stateOf(id)).toBe('FAILED');
    expect(await last()).toMatchObject({ state: 'DIFFERENT', difference: 'PAYOUT_ENDED_OTHERWISE', due_at: null });
    expect(await total()).toBe(before);
  });

  const ASKED_LATER = { difference: 'PAYOUT_ENDED_OTHERWISE', due_at: expect.any(Date) };
  it.each<[told: What, verified: Verified, state: string, moved: number, message: object]>([
    ['failed', 'FAILED', 'REVERSED', 0, { state: 'BOOKED' }],
    ['failed', 'REVERSED', 'REVERSED', 0, { state: 'BOOKED' }],
    ['failed', 'SUCCESSFUL', 'SUCCESSFUL', -1000, { difference: 'PAYOUT_ENDED_OTHERWISE', due_at: null }],
    ['failed', 'UNKNOWN', 'SUCCESSFUL', -1000, ASKED_LATER],
    ['reversed', 'REVERSED', 'REVERSED', 0, { state: 'BOOKED' }],
    ['reversed', 'FAILED', 'REVERSED', 0, { state: 'BOOKED' }],
    ['reversed', 'SUCCESSFUL', 'SUCCESSFUL', -1000, ASKED_LATER],
    ['reversed', 'PENDING', 'SUCCESSFUL', -1000, ASKED_LATER],
    ['reversed', 'UNKNOWN', 'SUCCESSFUL', -1000, ASKED_LATER],
    ['reversed', 'NOT_FOUND', 'SUCCESSFUL', -1000, ASKED_LATER],
    ['reversed', 'DIFFERENT', 'SUCCESSFUL', -1000, { difference: 'PAYOUT_ENDED_OTHERWISE', due_at: null }],
  ])('%s gives nothing back by itself after a success: asked then, Paystack says %s', async (...given) => {
    const [told, verified, state, moved, message] = given;
    const before = await total();
    const { id, transfer } = await payout();
    await tell(server, transferMessage('success', transfer));
    expect(await workAsking(verified)).toBe(0);
    await tell(server, transferMessage(told, transfer));
    expect(await workAsking(verified)).toBe(1);
    expect([await stateOf(id), await total()]).toEqual([state, before + moved]);
    expect(await last()).toMatchObject(message);
  });

  it('gives back what came back once Paystack, asked again, says so too', async () => {
    const before = await total();
    const { id, transfer } = await payout();
    for (const what of ['success', 'reversed'] as const) {
      await tell(server, transferMessage(what, transfer));
      await workAsking('SUCCESSFUL');
    }
    expect([await stateOf(id), await total()]).toEqual(['SUCCESSFUL', before - 1000]);
    await workAsking('REVERSED');
    expect([await stateOf(id), await total()]).toEqual(['REVERSED', before]);
    expect(await last()).toMatchObject({ state: 'BOOKED' });
  });

  const ENDS = [
    ['PENDING', 'SENT', 0],
    ['UNKNOWN', 'UNKNOWN', 0],
    ['SUCCESSFUL', 'SUCCESSFUL', -1000],
    ['FAILED', 'FAILED', 0],
    ['REVERSED', 'REVERSED', 0],
  ] as const;
  const CONTRADICTIONS = [
    ['success', 'failed'],
    ['success', 'reversed'],
    ['success', 'pending'],
    ['success', 'weird'],
    ['success', null],
    ['failed', 'success'],
    ['failed', 'pending'],
    ['reversed', 'success'],
    ['reversed', 7],
  ] as const;
  it.each(CONTRADICTIONS)('%s of the status %j moves what Paystack says when it is asked', async (event, status) => {
    for (const [verified, state, moved] of ENDS) {
      const { id, transfer } = await payout();
      const before = await total();
      const { data } = JSON.parse(transferMessage(event, transfer));
      await tell(server, JSON.stringify({ event: `transfer.${event}`, data: { ...data, status } }));
      expect(await workAsking(verified)).toBe(1);
      expect([verified, await stateOf(id), await total()]).toEqual([verified, state, before + moved]);
      await server.operate('POST', `/inbox/${(await last())?.id}/dismiss`, { reason: 'asked of the next one' });
    }
  });

  it.each([
    ['an event that nobody documents', 'transfer.recalled', {}],
    ['a text for its amount', 'transfer.success', { amount: '100000' }],
  ])('with %s moves nothing, and is kept as UNREADABLE', async (_what, event, change) => {
    const { id, transfer } = await payout();
    const { data } = JSON.parse(transferMessage('success', transfer));
    await tell(server, JSON.stringify({ event, data: { ...data, ...change } }));
    await work();
    expect(await last()).toMatchObject({ event, state: 'DIFFERENT', difference: 'UNREADABLE' });
    expect(await stateOf(id)).not.toBe('SUCCESSFUL');
  });

  it('is booked without a status, and whatever else it does not say', async () => {
    const { id, transfer } = await payout();
    const { data } = JSON.parse(transferMessage('success', transfer));
    const said = { ...data, status: undefined, transfer_code: 7, session: undefined };
    await tell(server, JSON.stringify({ event: 'transfer.success', data: said }));
    await work();
    expect(await stateOf(id)).toBe('SUCCESSFUL');
  });

  it('takes no correction of operators back by itself', async () => {
    const { id, transfer } = await payout();
    await tell(server, transferMessage('failed', transfer));
    await work();
    const corrected = { account: 'WALLET', actor: 'two operators', reason: 'the bank says so' } as const;
    await correctPayout(server.resources, { id, ...corrected });
    await tell(server, transferMessage('reversed', transfer));
    await work();
    const now = async () =>
      (
        await server.owner.query(
          `select t.status as correction, m.state as message from payouts.payout p
             join ledger.transaction t on t.id = p.correction_id
             join inbox.message m on m.reference = p.provider_reference and m.event = 'transfer.reversed' where p.id = $1`,
          [id],
        )
      ).rows;
    expect(await now()).toEqual([{ correction: 'Successful', message: 'DIFFERENT' }]);
    const { provider } = scriptedProvider({ name: 'paystack', verifies: Array.from({ length: 9 }, () => 'REVERSED') });
    server.clock.advance(60_000);
    await bookInbox({ ...server.resources, payoutProvider: provider });
    expect(await now()).toEqual([{ correction: 'Reversed', message: 'BOOKED' }]);
  });

  it.each([
    ['another amount', { amount: 100_001 }, 'AMOUNT_DIFFERS'],
    ['a hundredth of the amount', { amount: 1_000 }, 'AMOUNT_DIFFERS'],
    ['another currency', { currency: 'GHS' }, 'CURRENCY_DIFFERS'],
    ['another bank', { bankCode: '057' }, 'PAYEE_DIFFERS'],
    ['another account', { accountNumber: '9999999999' }, 'PAYEE_DIFFERS'],
    ['another account at a bank that is not named', { accountNumber: '9999999999', bankCode: null }, 'PAYEE_DIFFERS'],
    ['a transfer that is not ours', { reference: 'made-in-the-dashboard' }, 'PAYOUT_UNKNOWN'],
  ])('of %s changes nothing, and is shown as a difference', async (_, given, difference) => {
    const { id, transfer } = await payout();
    await tell(server, transferMessage('success', { ...transfer, ...given }));
    await work();
    expect(await stateOf(id)).toBe('SENT');
    expect(await last()).toMatchObject({ state: 'DIFFERENT', difference });
  });

  it.each<[string, Parameters<typeof transferMessage>[1] | object]>([
    ['without its account', { details: null }],
    ['without its bank', { bankCode: null }],
  ])('that names the payee %s is asked about, and what Paystack answers then is booked', async (_, given) => {
    const { id, transfer } = await payout();
    const asked = scriptedProvider({ name: 'paystack', verifies: ['UNKNOWN', 'SUCCESSFUL'] });
    const told = async () => {
      server.clock.advance(4_000);
      await bookInbox({ ...server.resources, payoutProvider: asked.provider });
      return [await stateOf(id), (await last())?.state];
    };
    await tell(server, transferMessage('success', { ...transfer, ...given }));
    expect(await told()).toEqual(['UNKNOWN', 'DIFFERENT']);
    expect(await last()).toMatchObject({ difference: 'PAYEE_DIFFERS' });
    expect(await told()).toEqual(['SUCCESSFUL', 'BOOKED']);
    expect(asked.asked).toBe(2);
  });

  it('that does not name the payee is not taken for a payout of which Paystack has another', async () => {
    const before = await total();
    const { id, transfer } = await payout();
    const { provider } = scriptedProvider({ name: 'paystack', verifies: ['DIFFERENT'] });
    await tell(server, transferMessage('failed', { ...transfer, details: null }));
    server.clock.advance(4_000);
    await bookInbox({ ...server.resources, payoutProvider: provider });
    expect(await stateOf(id)).toBe('UNKNOWN');
    expect(await last()).toMatchObject({ state: 'DIFFERENT', difference: 'PAYEE_DIFFERS', due_at: null });
    expect(await total()).toBe(before);
  });

  it('is believed of one that counts as not sent, which is not sent again', async () => {
    const { id, transfer } = await payout();
    await server.owner.query(
      `update payouts.payout set state = 'PENDING', sent_at = null, due_at = created_at where id = $1`,
      [id],
    );
    await tell(server, transferMessage('success', transfer));
    await work();
    expect(await stateOf(id)).toBe('SUCCESSFUL');
    const { provider, sent } = scriptedProvider();
    await sendPayouts({ ...server.resources, payoutProvider: { ...provider, name: 'paystack' } });
    expect(sent).toEqual([]);
  });
});

describe('a message that cannot be read', () => {
  const transfer = (change: object) => {
    const { event, data } = JSON.parse(transferMessage('success', { reference: `unread-${Math.random()}`, amount: 5 }));
    return JSON.stringify({ event, data: { ...data, ...change } });
  };
  const charge = (change: object) => {
    const { event, data } = JSON.parse(chargeMessage({ accountNumber: '9000000000' }));
    return JSON.stringify({ event, data: { ...data, ...change } });
  };

  it.each([
    ['an amount in a text', transfer({ amount: '100000' })],
    ['an amount in naira', transfer({ amount: 1000.5 })],
    ['an amount below zero', transfer({ amount: -5 })],
    ['an amount that no account holds', transfer({ amount: 9_007_199_254_740_991 })],
    ['no amount', transfer({ amount: null })],
    ['a reference that is a number', transfer({ reference: 12_345 })],
    ['a reference that the database cannot store', transfer({ reference: 'a\0b' })],
    ['a reference of half a letter', transfer({ reference: 'a\ud800' })],
    ['a currency that is an object', transfer({ currency: {} })],
    ['a payment with an amount in a text', charge({ amount: '250000' })],
    ['a payment with a numeric reference', charge({ reference: 7 })],
    ['a list of transfers', JSON.stringify({ event: 'transfer.success', data: [] })],
    ['a body that is not JSON', `not JSON at all ${Math.random()}`],
    ['a body that was cut', transferMessage('success', { reference: 'cut', amount: 5 }).slice(0, -40)],
    ['bytes that are no text', '\ufffd\u0000'],
    ['no event', '{"data":1}'],
  ])('(%s) is in the inbox as UNREADABLE, once, and asked for no more', async (_what, body) => {
    server.forgetLogged();
    for (const _time of [1, 2]) {
      expect((await tell(server, body)).statusCode).toBe(200);
      await work(3_600_000);
    }
    expect(await last()).toMatchObject({ state: 'DIFFERENT', difference: 'UNREADABLE', due_at: null, attempts: 1 });
    expect(server.logged.split('"difference":"UNREADABLE"')).toHaveLength(2);
    const { items } = (await server.operate('GET', '/inbox?state=DIFFERENT&limit=1')).json();
    expect(items[0]).toMatchObject({ difference: 'UNREADABLE' });
    const dismissed = await server.operate('POST', `/inbox/${items[0].id}/dismiss`, { reason: 'the provider knows' });
    expect(dismissed.json()).toMatchObject({ state: 'DISMISSED' });
  });
});

describe('a message that cannot be booked', () => {
  it('keeps no other waiting, is tried again at growing intervals, and is shown', async () => {
    const [poisoned, healthy] = [await payout(), await payout()];
    await tell(server, transferMessage('success', poisoned.transfer));
    await server.owner.query(`update inbox.message set body_sealed = '\\x00' where state = 'RECEIVED'`);
    await tell(server, transferMessage('success', healthy.transfer));
    const waitsS: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt++) {
      await work(60_000);
      const { rows } = await server.owner.query<{ due_at: Date; attempts: number }>(
        `select due_at, attempts from inbox.message where state = 'RECEIVED'`,
      );
      expect(rows).toMatchObject([{ attempts: attempt }]);
      waitsS.push(Math.round((Number(rows[0]?.due_at) - server.clock.now().getTime()) / 1_000));
    }
    expect(waitsS).toEqual([1, 2, 4, 8, 16, 32]);
    expect(await stateOf(healthy.id)).toBe('SUCCESSFUL');
    expect(server.logged).toContain('a provider message cannot be booked');
    await server.owner.query(`delete from inbox.message where state = 'RECEIVED'`);
  });
});

it('the books hold after all of it', async () => {
  expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
});
