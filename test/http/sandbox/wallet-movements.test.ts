import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { bookOf, newReference, newWallet } from '../../support/payments.ts';
import { revokeWallet } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_WALLET_CREDIT: '5' });

const move = ({ headers }: TestPartner, wallet: string, how: 'credit' | 'debit', payload: object) =>
  server.call('POST', `/v2/sandbox/wallet/${wallet}/${how}`, { headers, payload });

describe('POST /v2/sandbox/wallet/{reference}/credit', () => {
  it('200: credits the wallet though the float is empty, fee included, and leaves the float as it was', async () => {
    const partner = await server.newPartner();
    const { reference: wallet } = await newWallet(server, partner);
    const answer = await move(partner, wallet, 'credit', { amount: 1500.5, reference: 'first', comment: 'Refill' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      Type: 'PARTNER_WALLET_CREDIT',
      Amount: 1500.5,
      Fee: 5,
      Reference: 'first',
      ClosingBalance: 1500.5,
    });
    expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 0 });
  });

  it('200: a repeated reference answers the same, and moves nothing again', async () => {
    const partner = await server.newPartner();
    const { reference: wallet } = await newWallet(server, partner);
    const answers = [];
    for (const _ of [1, 2])
      answers.push((await move(partner, wallet, 'credit', { amount: 10, reference: 'r' })).json());
    expect(answers[1]).toEqual(answers[0]);
    expect(await bookOf(server, 'WALLET', wallet)).toEqual({ kobo: 1000, entries: 1 });
    expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 0 });
  });

  it('the test money is in the audit log as funded by the sandbox for this partner', async () => {
    const partner = await server.newPartner();
    const { reference: wallet } = await newWallet(server, partner);
    await move(partner, wallet, 'credit', { amount: 10, reference: 'audited' });
    const { rows } = await server.owner.query(`select action, reason from audit.entry where actor = $1 order by id`, [
      `sandbox:${partner.id}`,
    ]);
    expect(rows).toEqual([{ action: 'float.fund', reason: 'test money' }]);
  });

  it('400, 404, 409 and 422: refuses as the partner API does, another partner’s wallet as an unknown one', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const { reference: wallet } = await newWallet(server, partner);
    await move(partner, wallet, 'credit', { amount: 10, reference: 'taken' });
    const refused = async (answer: ReturnType<typeof move>) => {
      const { statusCode, json } = await answer;
      return [statusCode, json().errorCode];
    };
    expect(await refused(move(partner, wallet, 'credit', { amount: -1, reference: 'r' }))).toEqual([
      400,
      'INVALID_PARAMETER',
    ]);
    expect(await refused(move(other, wallet, 'credit', { amount: 1, reference: 'r' }))).toEqual([
      404,
      'WALLET_NOT_FOUND',
    ]);
    expect(await refused(move(partner, wallet, 'credit', { amount: 11, reference: 'taken' }))).toEqual([
      409,
      'REFERENCE_REUSED',
    ]);
    await server.owner.query(`update ledger.account set status = 'Blocked' where reference = $1`, [wallet]);
    expect(await refused(move(partner, wallet, 'credit', { amount: 1, reference: newReference() }))).toEqual([
      422,
      'WALLET_BLOCKED',
    ]);
    await revokeWallet(server, wallet);
    expect(await refused(move(partner, wallet, 'credit', { amount: 1, reference: newReference() }))).toEqual([
      404,
      'WALLET_NOT_FOUND',
    ]);
  });
});

describe('POST /v2/sandbox/wallet/{reference}/debit', () => {
  it('200: moves the money into the float; 422: not more than there is; 404: not another partner’s', async () => {
    const partner = await server.newPartner();
    const { reference: wallet } = await newWallet(server, partner);
    await move(partner, wallet, 'credit', { amount: 100, reference: 'in' });
    const answer = await move(partner, wallet, 'debit', { amount: 30, reference: 'out' });
    expect([answer.statusCode, answer.json().ClosingBalance]).toEqual([200, 70]);
    expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 3000 });
    const tooMuch = await move(partner, wallet, 'debit', { amount: 70.01, reference: 'over' });
    expect([tooMuch.statusCode, tooMuch.json().errorCode]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const theirs = await move(await server.newPartner(), wallet, 'debit', { amount: 1, reference: 'theirs' });
    expect([theirs.statusCode, theirs.json().errorCode]).toEqual([404, 'WALLET_NOT_FOUND']);
  });
});
