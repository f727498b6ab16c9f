import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp, useSharedApp } from '../../support/app.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';
import { bookOf, newReference, newWallet, revokeWallet, statusEvents } from '../../support/wallets.ts';

describe('simulated payments', () => {
  const server = useSharedApp();

  const post = ({ headers }: TestPartner, path: string, payload?: object) =>
    server.call('POST', `/v2/sandbox${path}`, { headers, ...(payload === undefined ? {} : { payload }) });

  const outcome = async (answer: ReturnType<typeof post>) => {
    const { statusCode, json } = await answer;
    return [statusCode, json().errorCode];
  };
  const sender = { name: 'Bola Ade', type: 'CARD' };

  describe('POST /v2/sandbox/payment/gateway', () => {
    it('200: credits a wallet or the float, and publishes transaction.status as a real payment does', async () => {
      const partner = await server.newPartner();
      const { reference: walletReference } = await newWallet(server, partner);
      const toWallet = await post(partner, '/payment/gateway', {
        amount: 1000,
        reference: 'g1',
        walletReference,
        sender,
      });
      expect(toWallet.json()).toMatchObject({
        Type: 'PARTNER_GATEWAY',
        Status: 'Successful',
        Reference: 'g1',
        Net: 1000,
      });
      await post(partner, '/payment/gateway', { amount: 500, reference: 'g2' });
      expect(await bookOf(server, 'WALLET', walletReference)).toMatchObject({ kobo: 100_000 });
      expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 50_000 });
      const [first = '{}', ...others] = await statusEvents(server, partner);
      expect(others).toHaveLength(1);
      expect(JSON.parse(first)).toMatchObject({ event: 'transaction.status', data: { Reference: 'g1', Amount: 1000 } });
    });

    it('400, 404 and 409: a bad amount, a wallet of another partner’s, and a reference that stands for another', async () => {
      const [partner, other] = [await server.newPartner(), await server.newPartner()];
      const { reference: walletReference } = await newWallet(server, other);
      const payment = { amount: 10, reference: 'g1' };
      expect(await outcome(post(partner, '/payment/gateway', { ...payment, amount: 0 }))).toEqual([
        400,
        'INVALID_PARAMETER',
      ]);
      expect(await outcome(post(partner, '/payment/gateway', { ...payment, walletReference }))).toEqual([
        404,
        'WALLET_NOT_FOUND',
      ]);
      await post(partner, '/payment/gateway', payment);
      expect(await outcome(post(partner, '/payment/gateway', { ...payment, amount: 11 }))).toEqual([
        409,
        'REFERENCE_REUSED',
      ]);
    });
  });

  describe('POST /v2/sandbox/payment/terminal', () => {
    it('200: pays the float, and an instalment of the split that it names', async () => {
      const partner = await server.newPartner();
      const terminal = await newTerminal(server, partner);
      const split = await newSplit(server, terminal, 100);
      const paid = await post(partner, '/payment/terminal', { amount: 40, reference: 't1', terminal, split });
      expect(paid.json()).toMatchObject({ Type: 'PARTNER_TERMINAL', Status: 'Successful', ExternalReference: split });
      expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 40, Remaining: 60 });
      expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 4000 });
    });

    it('400, 404 and 409: no terminal, one of another partner’s, an unknown split, a reference used before', async () => {
      const [partner, other] = [await server.newPartner(), await server.newPartner()];
      const [terminal, theirs] = [await newTerminal(server, partner), await newTerminal(server, other)];
      const pay = (given: object) =>
        outcome(post(partner, '/payment/terminal', { amount: 1, reference: 't1', terminal, ...given }));
      expect(await pay({ terminal: '' })).toEqual([400, 'INVALID_PARAMETER']);
      expect(await pay({ terminal: theirs })).toEqual([404, 'TERMINAL_NOT_FOUND']);
      expect(await pay({ split: 'nothing' })).toEqual([404, 'SPLIT_NOT_FOUND']);
      expect(await pay({})).toEqual([200, undefined]);
      expect(await pay({ amount: 2 })).toEqual([409, 'REFERENCE_REUSED']);
      expect(await bookOf(server, 'FLOAT', other.id)).toMatchObject({ kobo: 0 });
    });
  });

  describe('POST /v2/sandbox/terminal/{terminal}/split/{split}/pay', () => {
    it('200: pays a part, then all that remains; more waits in suspense', async () => {
      const partner = await server.newPartner();
      const terminal = await newTerminal(server, partner);
      const split = await newSplit(server, terminal, 100);
      const pay = (given: object) =>
        post(partner, `/terminal/${terminal}/split/${split}/pay`, { reference: newReference(), ...given });
      await pay({ amount: 30 });
      expect((await pay({})).json()).toMatchObject({ Amount: 70, Status: 'Successful' });
      expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 100, Status: 'Paid' });
      expect((await pay({})).json()).toMatchObject({ Status: 'Pending', PendingReason: 'SPLIT_NOT_PAYABLE' });
    });

    it('400, 404 and 409: no reference, another partner’s terminal, an unknown split, a reference used before', async () => {
      const [partner, other] = [await server.newPartner(), await server.newPartner()];
      const terminal = await newTerminal(server, partner);
      const split = await newSplit(server, terminal, 100);
      const path = `/terminal/${terminal}/split/${split}/pay`;
      expect(await outcome(post(partner, path, {}))).toEqual([400, 'INVALID_PARAMETER']);
      expect(await outcome(post(other, path, { reference: 'r' }))).toEqual([404, 'TERMINAL_NOT_FOUND']);
      expect(await outcome(post(partner, `/terminal/${terminal}/split/none/pay`, { reference: 'r' }))).toEqual([
        404,
        'SPLIT_NOT_FOUND',
      ]);
      await post(partner, path, { reference: 'p', amount: 1 });
      expect(await outcome(post(partner, path, { reference: 'p', amount: 2 }))).toEqual([409, 'REFERENCE_REUSED']);
    });
  });

  describe('POST /v2/sandbox/payment/inbound', () => {
    it('200: credits the wallet of an account number; partners share no references', async () => {
      for (const partner of [await server.newPartner(), await server.newPartner()]) {
        const { reference, nuban } = await newWallet(server, partner);
        const answers = [];
        for (const _ of [1, 2])
          answers.push(
            (await post(partner, '/payment/inbound', { nuban, amount: 25, reference: 'in', sender })).json(),
          );
        expect(answers[0]).toMatchObject({ Type: 'INBOUND', Amount: 25, Status: 'Successful' });
        expect(answers[1]).toEqual(answers[0]);
        expect(await bookOf(server, 'WALLET', reference)).toEqual({ kobo: 2500, entries: 1 });
      }
    });

    it('400, 404 and 409: no account number, one of another partner’s wallet or of none, a reference used before', async () => {
      const [partner, other] = [await server.newPartner(), await server.newPartner()];
      const [{ nuban }, theirs] = [await newWallet(server, partner), await newWallet(server, other)];
      const send = (given: object) =>
        outcome(post(partner, '/payment/inbound', { nuban, amount: 1, reference: 'i1', ...given }));
      expect(await send({ nuban: '12' })).toEqual([400, 'INVALID_PARAMETER']);
      expect(await send({ nuban: theirs.nuban })).toEqual([404, 'WALLET_NOT_FOUND']);
      expect(await send({ nuban: '0000000000' })).toEqual([404, 'WALLET_NOT_FOUND']);
      expect(await send({})).toEqual([200, undefined]);
      expect(await send({ amount: 2 })).toEqual([409, 'REFERENCE_REUSED']);
      expect(await bookOf(server, 'WALLET', theirs.reference)).toMatchObject({ kobo: 0 });
    });
  });

  describe('POST /v2/sandbox/transaction/{reference}/fail', () => {
    it('200: takes all of a payment back, once, and the payment is Reversed', async () => {
      const partner = await server.newPartner();
      await post(partner, '/payment/gateway', { amount: 500, reference: 'to-fail' });
      const failed = await post(partner, '/transaction/to-fail/fail');
      expect(failed.json()).toMatchObject({ Type: 'REVERSAL', Amount: 500, ExternalReference: 'to-fail' });
      expect((await post(partner, '/transaction/to-fail/fail')).json().ID).toBe(failed.json().ID);
      expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 0 });
      const seen = await server.call('GET', '/v2/partner/transaction/to-fail', { headers: partner.headers });
      expect(seen.json().Status).toBe('Reversed');
    });

    it('404 and 422: another partner’s, and one whose money is not there any more', async () => {
      const partner = await server.newPartner();
      const { reference: walletReference } = await newWallet(server, partner);
      await post(partner, '/payment/gateway', { amount: 500, reference: 'spent', walletReference });
      expect(await outcome(post(await server.newPartner(), '/transaction/spent/fail'))).toEqual([
        404,
        'TRANSACTION_NOT_FOUND',
      ]);
      await post(partner, `/wallet/${walletReference}/debit`, { amount: 500, reference: 'spending' });
      expect(await outcome(post(partner, '/transaction/spent/fail'))).toEqual([422, 'INSUFFICIENT_FUNDS']);
    });

    it('422: one of which something was given back', async () => {
      const partner = await server.newPartner({ float: 100 });
      const { reference: wallet } = await newWallet(server, partner);
      const { headers } = partner;
      await server.call('POST', `/v2/partner/wallet/${wallet}/credit`, {
        headers,
        payload: { amount: 50, reference: 'salary' },
      });
      await server.call('POST', '/v2/partner/transaction/salary/refund', {
        headers,
        payload: { amount: 10, reference: 'back' },
      });
      expect(await outcome(post(partner, '/transaction/salary/fail'))).toEqual([422, 'TRANSACTION_NOT_REVERSIBLE']);
    });
  });
});

describe('simulated movements', () => {
  const server = useApp({ FEE_PARTNER_WALLET_CREDIT: '5' });

  const move = ({ headers }: TestPartner, wallet: string, how: 'credit' | 'debit', payload: object) =>
    server.call('POST', `/v2/sandbox/wallet/${wallet}/${how}`, { headers, payload });

  describe('POST /v2/sandbox/wallet/{reference}/credit', () => {
    it('200: credits the wallet though the float is empty, fee included, and leaves the float as it was', async () => {
      const partner = await server.newPartner();
      const { reference: wallet } = await newWallet(server, partner);
      const answer = await move(partner, wallet, 'credit', { amount: 1500.5, reference: 'first', comment: 'Refill' });
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
      expect(refusalOf(tooMuch)).toEqual([422, 'INSUFFICIENT_FUNDS']);
      const theirs = await move(await server.newPartner(), wallet, 'debit', { amount: 1, reference: 'theirs' });
      expect(refusalOf(theirs)).toEqual([404, 'WALLET_NOT_FOUND']);
    });
  });
});
