import { beforeAll, describe, expect, it } from 'vitest';
import { bookInbox } from '#modules/collections';
import { businessDay } from '#modules/ledger';
import { markPayout, verifyPayout } from '#modules/payouts';
import { compareDay } from '#modules/reconciliation';
import { useApp } from '../../support/app.ts';
import { approve, auditOf, newOperator, type TestOperator } from '../../support/operators.ts';
import { scriptedProvider, unknownPayout } from '../../support/payouts.ts';
import { PAYSTACK_ENV, sentPayout, tell, transferMessage } from '../../support/paystack-hooks.ts';
import { refusalOf } from '../../support/refusals.ts';
import { changeWallet, fundedWallet } from '../../support/wallets.ts';

const server = useApp();

describe('GET /payouts', () => {
  const list = async (query: string) => (await server.operate('GET', `/payouts?${query}`)).json();

  it('payouts, newest first, of a partner, a wallet, a state or a time', async () => {
    const [one, other] = [await unknownPayout(server), await unknownPayout(server)];
    const { items } = await list('state=UNKNOWN');
    expect(items.map(({ id }: { id: string }) => id)).toEqual([other.id, one.id]);
    expect((await list(`partnerId=${one.partner.id}`)).items).toMatchObject([{ id: one.id, wallet: one.wallet }]);
    expect((await list(`wallet=${other.wallet}`)).items).toMatchObject([{ id: other.id, accountNumber: '0123456789' }]);
    expect((await list('state=FAILED')).items).toEqual([]);
    expect((await list('to=2026-01-01T00:00:00Z')).items).toEqual([]);
  });
});

describe('GET /payouts/{id}', () => {
  it('says where the money goes, and what is known of it', async () => {
    const { id, partner, wallet } = await unknownPayout(server);
    expect((await server.operate('GET', `/payouts/${id}`)).json()).toMatchObject({
      id,
      reference: 'payout',
      partnerId: partner.id,
      wallet,
      amount: 300.03,
      state: 'UNKNOWN',
      accountNumber: '0123456789',
      bankCode: '058',
      accountName: 'OKAFOR CHIDI',
      provider: 'simulator',
      attempts: 1,
    });
  });
});

describe('POST /payouts/{id}/verify', () => {
  const ask = (id: string) => server.operate('POST', `/payouts/${id}/verify`);
  /** Has a provider say that it succeeded. */
  const succeed = (id: string) => {
    const payoutProvider = scriptedProvider().provider;
    return verifyPayout({ ...server.resources, payoutProvider }, { id, actor: 'cli' });
  };

  it('asks the provider, and shows what is known now', async () => {
    const { id } = await unknownPayout(server);
    expect((await ask(id)).json()).toMatchObject({ id, state: 'UNKNOWN' });
    expect(await succeed(id)).toMatchObject({ id, state: 'SUCCESSFUL' });
  });

  it('409: one that was not sent yet has nothing to ask about', async () => {
    const { partner, wallet } = await unknownPayout(server);
    const payload = { amount: 10, reference: 'another', accountNumber: '0123456789', bankCode: '058' };
    await server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers: partner.headers, payload });
    const { items } = (await server.operate('GET', `/payouts?wallet=${wallet}&state=PENDING`)).json();
    expect(refusalOf(await ask(items[0].id))).toEqual([409, 'PAYOUT_STATE_CONFLICT']);
  });

  it('503: without a provider there is nobody to ask', async () => {
    const { id } = await unknownPayout(server);
    const asked = verifyPayout({ ...server.resources, payoutProvider: undefined }, { id, actor: 'cli' });
    await expect(asked).rejects.toMatchObject({ code: 'PROVIDER_NOT_CONFIGURED' });
  });
});

describe('POST /payouts/{id}/mark', () => {
  const REASON = { reason: 'the bank says so' };
  const mark = (id: string, outcome: string) => server.operate('POST', `/payouts/${id}/mark`, { outcome, ...REASON });
  const stateOf = async (id: string) => (await server.operate('GET', `/payouts/${id}`)).json().state;

  /** Another operator agrees with what was asked for. */
  const agree = async (request: string) => {
    const { token } = await newOperator(server, 'finance');
    const headers = { authorization: `Bearer ${token}` };
    return server.call('POST', `/operator/v1/approvals/${request}/approve`, { headers, payload: {} });
  };

  it.each(['SUCCESSFUL', 'FAILED'])('is %s once another operator agrees, and no sooner', async (outcome) => {
    const { id } = await unknownPayout(server);
    const asked = await mark(id, outcome);
    expect(asked.statusCode).toBe(202);
    expect(await stateOf(id)).toBe('UNKNOWN');
    const own = await server.operate('POST', `/approvals/${asked.json().id}/approve`, {});
    expect(own.json().errorCode).toBe('APPROVAL_OWN');
    expect((await agree(asked.json().id)).statusCode).toBe(200);
    expect(await stateOf(id)).toBe(outcome);
  });

  it('409: one whose end is known by then is not marked otherwise', async () => {
    const { id } = await unknownPayout(server);
    const [first, second] = [await mark(id, 'SUCCESSFUL'), await mark(id, 'FAILED')];
    await agree(first.json().id);
    expect((await agree(second.json().id)).json().errorCode).toBe('PAYOUT_STATE_CONFLICT');
    expect(await stateOf(id)).toBe('SUCCESSFUL');
  });
});

describe('POST /payouts/{id}/correct', () => {
  const alone = useApp({ ...PAYSTACK_ENV, FEE_PAYOUT: '25' });
  const REASON = { reason: 'Paystack says that it was paid' };

  let asker: TestOperator;
  let other: TestOperator;
  beforeAll(async () => {
    [asker, other] = [await newOperator(alone, 'finance'), await newOperator(alone, 'finance')];
  });

  /** A payout of 1,000 naira that was marked as failed, and that Paystack says to have paid. */
  async function paidAllTheSame(float = 10_000) {
    const { partner, wallet } = await fundedWallet(alone, float);
    const sent = await sentPayout(alone, { headers: partner.headers, wallet });
    alone.clock.advance(3_600_000);
    const unknown = `update payouts.payout set state = 'UNKNOWN' where id = $1`;
    await alone.owner.query(unknown, [sent.id]);
    await markPayout(alone.resources, { id: sent.id, outcome: 'FAILED', actor: 'two operators', ...REASON });
    await told('success', sent.transfer);
    return { ...sent, partner, wallet };
  }
  const told = async (what: 'success' | 'reversed', transfer: { reference: string; amount: number }) => {
    await tell(alone, transferMessage(what, transfer));
    alone.clock.advance(1_000);
    await bookInbox(alone.resources);
  };
  /** A minute later, when what was left open is asked about: the provider says that each transfer came back. */
  const confirmed = async () => {
    const { provider } = scriptedProvider({ name: 'paystack', verifies: Array.from({ length: 9 }, () => 'REVERSED') });
    alone.clock.advance(60_000);
    await bookInbox({ ...alone.resources, payoutProvider: provider });
  };
  const correct = (id: string, account = 'WALLET') =>
    asker.operate('POST', `/payouts/${id}/correct`, { account, ...REASON });
  const agreed = async (id: string, account = 'WALLET') => approve(other, (await correct(id, account)).json().id);
  const shown = async (id: string) => (await alone.operate('GET', `/payouts/${id}`)).json();
  const available = async ({ partner, wallet }: { partner: { headers: Record<string, string> }; wallet: string }) =>
    (await alone.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers })).json().Wallet
      .AvailableAmount;
  const balanceOf = async (account: string) => {
    const { items } = (await alone.operate('GET', '/accounts')).json();
    return items.find((one: Record<string, string>) => one['account'] === account && one['currency'] === 'NGN').balance;
  };
  /** What a comparison of today finds of a payout that Paystack lists as paid, unless it is told otherwise. */
  const compared = async (
    transfer: { reference: string; amount: number },
    as: 'success' | 'failed' | 'reversed' = 'success',
  ) => {
    const message = Buffer.from(transferMessage(as, transfer));
    const { reference, amount } = transfer;
    const movement = {
      kind: 'TRANSFER',
      reference,
      amount: BigInt(amount),
      currency: 'NGN',
      outcome: ({ success: 'SUCCESSFUL', failed: 'FAILED', reversed: 'REVERSED' } as const)[as],
      message,
    } as const;
    const rail = {
      name: 'paystack',
      carries: ['TRANSFER'] as const,
      list: async (kind: string) => (kind === 'TRANSFER' ? [movement] : undefined),
      find: async () => 'OPEN' as const,
    };
    const day = businessDay(alone.clock.now());
    const { differences } = await compareDay(
      { ...alone.resources, rails: [rail] },
      { provider: 'paystack', day, actor: 'x' },
    );
    return { day, found: differences.filter((one) => one.reference === reference) };
  };

  it('takes it out of the wallet once another operator agrees, once, and it is told', async () => {
    const payout = await paidAllTheSame();
    expect(await available(payout)).toBe(10_000);
    const asked = await correct(payout.id);
    expect([asked.statusCode, await available(payout)]).toEqual([202, 10_000]);
    expect((await approve(asker, asked.json().id)).json().errorCode).toBe('APPROVAL_OWN');
    const clearing = await balanceOf('CLEARING_PAYOUT');
    expect((await approve(other, asked.json().id)).statusCode).toBe(200);
    expect([await available(payout), await balanceOf('CLEARING_PAYOUT')]).toEqual([9_000, clearing + 1_000]);
    expect((await correct(payout.id)).statusCode).toBe(200);
    expect(await available(payout)).toBe(9_000);
    const { correctionId, ...rest } = await shown(payout.id);
    expect(correctionId).toBeGreaterThan(0);
    expect(rest).toMatchObject({ state: 'FAILED' });
    expect(rest).not.toHaveProperty('contradiction');
    expect(await auditOf(alone, payout.id)).toContainEqual(
      expect.objectContaining({ action: 'payout.correct', ...REASON }),
    );
    const events = await alone.owner.query(
      `select 1 from outbox.event where event = 'wallet.debited' and reference = $1`,
      [payout.wallet],
    );
    expect(events.rows).toHaveLength(1);
  });

  it('is no difference of a comparison any more, and its message is booked when it is tried again', async () => {
    const payout = await paidAllTheSame();
    const { day, found } = await compared(payout.transfer);
    expect(found).toMatchObject([{ what: 'PAYOUT_ENDED_OTHERWISE' }]);
    await agreed(payout.id);
    const { differences } = (await alone.operate('GET', `/rails/paystack/comparisons/${day}`)).json();
    expect(differences).toContainEqual(
      expect.objectContaining({ reference: payout.transfer.reference, corrected: true }),
    );
    expect((await compared(payout.transfer)).found).toEqual([]);
    const { items } = (await alone.operate('GET', `/inbox?reference=${payout.transfer.reference}`)).json();
    await alone.operate('POST', `/inbox/${items[0].id}/retry`, REASON);
    await bookInbox(alone.resources);
    expect((await alone.operate('GET', `/inbox/${items[0].id}`)).json()).toMatchObject({ state: 'BOOKED' });
  });

  it('where the wallet cannot pay, it is ours', async () => {
    const payout = await paidAllTheSame(1_025);
    const { partner, wallet } = payout;
    const payload = { amount: 500, reference: 'spent' };
    await alone.call('POST', `/v2/partner/wallet/${wallet}/debit`, { headers: partner.headers, payload });
    expect((await agreed(payout.id)).json().errorCode).toBe('INSUFFICIENT_FUNDS');
    const before = await balanceOf('DIFFERENCE');
    expect((await agreed(payout.id, 'DIFFERENCE')).statusCode).toBe(200);
    expect([await available(payout), await balanceOf('DIFFERENCE')]).toEqual([525, before - 1_000]);
  });

  it('gives it back when its provider sends it back after all, and once', async () => {
    const payout = await paidAllTheSame();
    await agreed(payout.id);
    await told('reversed', payout.transfer);
    await told('reversed', payout.transfer);
    expect(await available(payout)).toBe(9_000); // a message alone moves nothing: the provider is asked
    await confirmed();
    expect(await available(payout)).toBe(10_000);
    await told('reversed', payout.transfer);
    await confirmed();
    expect(await available(payout)).toBe(10_000);
    expect(await shown(payout.id)).toMatchObject({ state: 'FAILED' });
    expect((await compared(payout.transfer)).found).toMatchObject([{ what: 'PAYOUT_ENDED_OTHERWISE' }]);
  });

  it('gives it back too where only a comparison tells that it came back', async () => {
    const payout = await paidAllTheSame();
    await agreed(payout.id);
    expect((await compared(payout.transfer, 'reversed')).found).toMatchObject([{ what: 'PAYOUT_ENDED_OTHERWISE' }]);
    expect(await available(payout)).toBe(9_000); // nor does a list: the provider is asked
    await confirmed();
    expect(await available(payout)).toBe(10_000);
    expect((await compared(payout.transfer, 'reversed')).found).toEqual([]);
  });

  it('stays, and is shown, where a comparison says that it was not paid after all', async () => {
    const payout = await paidAllTheSame();
    await agreed(payout.id);
    expect((await compared(payout.transfer, 'failed')).found).toMatchObject([{ what: 'PAYOUT_ENDED_OTHERWISE' }]);
    expect(await available(payout)).toBe(9_000);
  });

  it('409: one that has not failed, and one that was corrected out of another account', async () => {
    const { partner, wallet } = await fundedWallet(alone, 10_000);
    const sent = await sentPayout(alone, { headers: partner.headers, wallet });
    expect((await agreed(sent.id)).json().errorCode).toBe('PAYOUT_STATE_CONFLICT');
    const payout = await paidAllTheSame();
    await agreed(payout.id);
    expect((await agreed(payout.id, 'DIFFERENCE')).json().errorCode).toBe('REFERENCE_REUSED');
  });

  it('409: one that its provider has sent back, also while another operator was to agree', async () => {
    const payout = await paidAllTheSame();
    const asked = await correct(payout.id);
    await told('reversed', payout.transfer);
    expect((await approve(other, asked.json().id)).json().errorCode).toBe('PAYOUT_STATE_CONFLICT');
    expect(await available(payout)).toBe(10_000);
    expect(await shown(payout.id)).toMatchObject({ state: 'FAILED', contradiction: 'REVERSED' });
  });

  it('422: a wallet that pays nothing now', async () => {
    const payout = await paidAllTheSame();
    await changeWallet(alone, payout.wallet, { status: 'PND' });
    expect((await agreed(payout.id)).json().errorCode).toBe('WALLET_PND');
  });

  it('and the books tie afterwards', async () => {
    const { checks } = (await alone.operate('GET', '/ledger/check')).json();
    expect(checks.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
  });
});
