import { beforeAll, describe, expect, it } from 'vitest';
import { bookInbox } from '#modules/inbox';
import { carryPayouts } from '#modules/payouts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { scriptedProvider } from '../../support/payouts.ts';
import { PAYSTACK_ENV, sentPayout, tell, transferMessage } from '../../support/paystack-hooks.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp(PAYSTACK_ENV);
let partner: TestPartner;
let wallet: string;

beforeAll(async () => {
  ({ partner, wallet } = await fundedWallet(server, 1_000_000));
});

const payout = () => sentPayout(server, { headers: partner.headers, wallet });
const last = async () =>
  (await server.owner.query<{ state: string }>('select * from inbox.message order by id desc limit 1')).rows[0];
const total = async () =>
  (await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers })).json().Wallet.TotalAmount;
const stateOf = async (id: string) => (await server.operate('GET', `/payouts/${id}`)).json().state;

async function work(afterMs = 4_000): Promise<void> {
  server.clock.advance(afterMs);
  await bookInbox(server.resources);
}

type What = Parameters<typeof transferMessage>[0];

describe('what Paystack tells of a transfer', () => {
  it.each<[told: What[], state: string, moved: number]>([
    [['success'], 'SUCCESSFUL', -1000],
    [['failed'], 'FAILED', 0],
    [['reversed'], 'REVERSED', 0],
    [['success', 'reversed'], 'REVERSED', 0],
    [['reversed', 'success'], 'REVERSED', 0],
    [['success', 'failed'], 'REVERSED', 0],
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
    await work();
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
    await carryPayouts({ ...server.resources, payoutProvider: { ...provider, name: 'paystack' } });
    expect(sent).toEqual([]);
  });
});

describe('a message that cannot be booked', () => {
  it('keeps no other waiting, is tried again at growing intervals, and is shown', async () => {
    const [poisoned, healthy] = [await payout(), await payout()];
    await tell(server, transferMessage('success', poisoned.transfer));
    const { rows: told } = await server.owner.query(
      `select id, body_sealed from inbox.message where state = 'RECEIVED'`,
    );
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
    expect(server.logged).toContain('a provider’s message cannot be booked');
    const { id, body_sealed } = told[0];
    await server.owner.query('update inbox.message set body_sealed = $2 where id = $1', [id, body_sealed]);
  });
});

it('the books hold after all of it', async () => {
  expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
});
