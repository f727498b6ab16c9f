import { describe, expect, it } from 'vitest';
import { carryPayouts } from '#modules/payouts';
import { useApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { newReference } from '../../support/payments.ts';
import { payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const payouts = payoutsOf(server);
const { payOut, carry } = payouts;
const MINUTE_MS = 60_000;

describe('a request for a payout', () => {
  it('that is repeated answers as it did, whatever has become of it', async () => {
    const reference = newReference();
    const first = await payOut({ reference });
    await carry();
    const again = await payOut({ reference });
    expect(again.json()).toEqual(first.json());
    expect((await payOut({ reference, amount: 1001 })).json()).toMatchObject({ errorCode: 'REFERENCE_REUSED' });
    const credit = await moveMoney(server, payouts.partner, payouts.wallet, 'credit', { amount: 5, reference });
    expect(credit.json()).toMatchObject({ errorCode: 'REFERENCE_REUSED' });
  });

  it('of which twenty come at once orders one payout', async () => {
    const reference = newReference();
    const answers = await Promise.all(Array.from({ length: 20 }, () => payOut({ reference })));
    expect(new Set(answers.map((answer) => answer.json().ID)).size).toBe(1);
    const script = scriptedProvider();
    await carry(script.provider);
    expect(script.sent).toHaveLength(1);
  });

  it.each([
    ['an account that is not there', { accountNumber: '0123456781' }, 400, 'BANK_ACCOUNT_NOT_FOUND'],
    ['a name that the bank does not say', { accountName: 'Bola Ade' }, 400, 'ACCOUNT_NAME_MISMATCH'],
    ['one word of a name', { accountName: 'Chidi' }, 400, 'ACCOUNT_NAME_MISMATCH'],
    ['more than there is', { amount: 1_000_000 }, 422, 'INSUFFICIENT_FUNDS'],
    ['less than the rail carries', { amount: 0.5 }, 422, 'AMOUNT_TOO_SMALL'],
    ['nothing', { amount: 0 }, 400, 'INVALID_PARAMETER'],
    ['a bank that is none', { bankCode: 'x' }, 400, 'INVALID_PARAMETER'],
  ])('with %s is refused, and orders nothing', async (_, given, status, errorCode) => {
    const answer = await payOut(given);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([status, errorCode]);
    const script = scriptedProvider();
    await carry(script.provider);
    expect(script.sent).toEqual([]);
  });

  it('with the name that the bank says is taken', async () => {
    expect((await payOut({ accountName: 'chidi OKAFOR' })).statusCode).toBe(200);
  });

  it('from a wallet of points, or of another partner, is refused', async () => {
    const points = await server.call('POST', '/v2/partner/wallet', {
      headers: payouts.partner.headers,
      payload: { kyc: { firstName: 'Chidi', lastName: 'Okafor' }, currency: 'FP' },
    });
    expect((await payOut({}, points.json().Reference)).json().errorCode).toBe('CURRENCY_MISMATCH');
    const other = await fundedWallet(server, 1_000);
    expect((await payOut({}, other.wallet)).json().errorCode).toBe('WALLET_NOT_FOUND');
  });
});

describe('the operator', () => {
  const payoutOf = async (reference: string) => {
    const { items } = (await server.operate('GET', `/payouts?wallet=${payouts.wallet}&limit=100`)).json();
    return items.find((item: { reference: string }) => item.reference === reference);
  };

  it('lists payouts, looks at one and has its provider asked', async () => {
    const reference = newReference();
    await payOut({ reference, amount: 300.02 });
    expect(await payoutOf(reference)).toMatchObject({ state: 'PENDING', amount: 300.02, accountNumber: '0123456789' });
    server.clock.advance(MINUTE_MS);
    await carryPayouts(server.resources);
    const { id } = await payoutOf(reference);
    expect((await server.operate('GET', `/payouts/${id}`)).json()).toMatchObject({ state: 'UNKNOWN' });
    expect((await server.operate('POST', `/payouts/${id}/verify`)).json()).toMatchObject({ state: 'SUCCESSFUL' });
    expect((await server.operate('GET', '/payouts/00000000-0000-7000-8000-000000000000')).statusCode).toBe(404);
  });

  it('marks one of unknown end only together with another operator', async () => {
    const reference = newReference();
    await payOut({ reference });
    await carry(scriptedProvider({ sends: ['UNKNOWN'] }).provider);
    const { id } = await payoutOf(reference);
    const [one, other] = [await newOperator(server, 'finance'), await newOperator(server, 'finance')];
    const as = ({ token }: { token: string }, path: string, payload: object) =>
      server.call('POST', `/operator/v1${path}`, { headers: { authorization: `Bearer ${token}` }, payload });
    const asked = await as(one, `/payouts/${id}/mark`, { outcome: 'FAILED', reason: 'the bank says so' });
    expect(asked.statusCode).toBe(202);
    expect(await payoutOf(reference)).toMatchObject({ state: 'UNKNOWN' });
    const approval = `/approvals/${asked.json().id}/approve`;
    expect((await as(one, approval, {})).json().errorCode).toBe('APPROVAL_OWN');
    expect((await as(other, approval, {})).statusCode).toBe(200);
    expect(await payoutOf(reference)).toMatchObject({ state: 'FAILED' });
  });
});
