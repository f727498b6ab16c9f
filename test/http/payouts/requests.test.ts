import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newReference } from '../../support/payments.ts';
import { payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const payouts = payoutsOf(server);
const { payOut, carry } = payouts;

describe('a request for a payout', () => {
  it.each(['SUCCESSFUL', 'FAILED'] as const)('that is repeated answers as it did, though it is %s', async (end) => {
    const reference = newReference();
    const first = await payOut({ reference });
    await carry(scriptedProvider({ sends: [end] }).provider);
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
