import { beforeAll, describe, expect, it } from 'vitest';
import { bookInbox } from '#modules/inbox';
import { businessDay } from '#modules/ledger';
import { markPayout } from '#modules/payouts';
import { compareDay } from '#modules/rails';
import { useApp } from '../../support/app.ts';
import { approve } from '../../support/approvals.ts';
import { auditOf } from '../../support/audit.ts';
import { newOperator, type TestOperator } from '../../support/operators.ts';
import { scriptedProvider } from '../../support/payouts.ts';
import { PAYSTACK_ENV, sentPayout, tell, transferMessage } from '../../support/paystack-hooks.ts';
import { changeWallet, fundedWallet } from '../../support/wallets.ts';

const server = useApp({ ...PAYSTACK_ENV, FEE_PAYOUT: '25' });
const REASON = { reason: 'Paystack says that it was paid' };

let asker: TestOperator;
let other: TestOperator;
beforeAll(async () => {
  [asker, other] = [await newOperator(server, 'finance'), await newOperator(server, 'finance')];
});

/** A payout of 1,000 naira that was marked as failed, and that Paystack says to have paid. */
async function paidAllTheSame(float = 10_000) {
  const { partner, wallet } = await fundedWallet(server, float);
  const sent = await sentPayout(server, { headers: partner.headers, wallet });
  server.clock.advance(3_600_000);
  const unknown = `update payouts.payout set state = 'UNKNOWN' where id = $1`;
  await server.owner.query(unknown, [sent.id]);
  await markPayout(server.resources, { id: sent.id, outcome: 'FAILED', actor: 'two operators', ...REASON });
  await told('success', sent.transfer);
  return { ...sent, partner, wallet };
}
const told = async (what: 'success' | 'reversed', transfer: { reference: string; amount: number }) => {
  await tell(server, transferMessage(what, transfer));
  server.clock.advance(1_000);
  await bookInbox(server.resources);
};
/** A minute later, when what was left open is asked about: the provider says that each transfer came back. */
const confirmed = async () => {
  const { provider } = scriptedProvider({ name: 'paystack', verifies: Array.from({ length: 9 }, () => 'REVERSED') });
  server.clock.advance(60_000);
  await bookInbox({ ...server.resources, payoutProvider: provider });
};
const correct = (id: string, account = 'WALLET') =>
  asker.operate('POST', `/payouts/${id}/correct`, { account, ...REASON });
const agreed = async (id: string, account = 'WALLET') => approve(other, (await correct(id, account)).json().id);
const shown = async (id: string) => (await server.operate('GET', `/payouts/${id}`)).json();
const available = async ({ partner, wallet }: { partner: { headers: Record<string, string> }; wallet: string }) =>
  (await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers })).json().Wallet
    .AvailableAmount;
const balanceOf = async (account: string) => {
  const { items } = (await server.operate('GET', '/accounts')).json();
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
  const day = businessDay(server.clock.now());
  const { differences } = await compareDay(
    { ...server.resources, rails: [rail] },
    { provider: 'paystack', day, actor: 'x' },
  );
  return { day, found: differences.filter((one) => one.reference === reference) };
};

describe('200', () => {
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
    expect(await auditOf(server, payout.id)).toContainEqual(
      expect.objectContaining({ action: 'payout.correct', ...REASON }),
    );
    const events = await server.owner.query(
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
    const { differences } = (await server.operate('GET', `/rails/paystack/comparisons/${day}`)).json();
    expect(differences).toContainEqual(
      expect.objectContaining({ reference: payout.transfer.reference, corrected: true }),
    );
    expect((await compared(payout.transfer)).found).toEqual([]);
    const { items } = (await server.operate('GET', `/inbox?reference=${payout.transfer.reference}`)).json();
    await server.operate('POST', `/inbox/${items[0].id}/retry`, REASON);
    await bookInbox(server.resources);
    expect((await server.operate('GET', `/inbox/${items[0].id}`)).json()).toMatchObject({ state: 'BOOKED' });
  });

  it('where the wallet cannot pay, it is ours', async () => {
    const payout = await paidAllTheSame(1_025);
    const { partner, wallet } = payout;
    const payload = { amount: 500, reference: 'spent' };
    await server.call('POST', `/v2/partner/wallet/${wallet}/debit`, { headers: partner.headers, payload });
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
});

describe('409', () => {
  it('one that has not failed, and one that was corrected out of another account', async () => {
    const { partner, wallet } = await fundedWallet(server, 10_000);
    const sent = await sentPayout(server, { headers: partner.headers, wallet });
    expect((await agreed(sent.id)).json().errorCode).toBe('PAYOUT_STATE_CONFLICT');
    const payout = await paidAllTheSame();
    await agreed(payout.id);
    expect((await agreed(payout.id, 'DIFFERENCE')).json().errorCode).toBe('REFERENCE_REUSED');
  });

  it('one that its provider has sent back, also while another operator was to agree', async () => {
    const payout = await paidAllTheSame();
    const asked = await correct(payout.id);
    await told('reversed', payout.transfer);
    expect((await approve(other, asked.json().id)).json().errorCode).toBe('PAYOUT_STATE_CONFLICT');
    expect(await available(payout)).toBe(10_000);
    expect(await shown(payout.id)).toMatchObject({ state: 'FAILED', contradiction: 'REVERSED' });
  });
});

describe('422', () => {
  it('a wallet that pays nothing now', async () => {
    const payout = await paidAllTheSame();
    await changeWallet(server, payout.wallet, { status: 'PND' });
    expect((await agreed(payout.id)).json().errorCode).toBe('WALLET_PND');
  });
});

it('and the books tie afterwards', async () => {
  const { checks } = (await server.operate('GET', '/ledger/check')).json();
  expect(checks.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
});
