import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { bookOf, newWallet, paymentsOf, statusEvents, transactionsOf } from '../../support/payments.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';

const server = useApp();
const { report, gateway, atTerminal, inbound } = paymentsOf(server);
const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('400', () => {
  it.each([
    [{ type: 'PARTNER_PIGEON' }, 'type: must be PARTNER_GATEWAY, PARTNER_TERMINAL or INBOUND'],
    [{ type: undefined }, 'type: must be PARTNER_GATEWAY, PARTNER_TERMINAL or INBOUND'],
    [{ amount: 0 }, 'amount: '],
    [{ amount: 1.005 }, 'amount: '],
    [{ amount: '1000' }, 'amount: '],
    [{ reference: 'a b' }, 'reference: '],
    [{ sender: undefined }, 'sender: '],
    [{ sender: {} }, 'sender.name: '],
    [{ partnerId: 'acme' }, 'partnerId: '],
    [{ metadata: 'x' }, 'metadata: '],
    [{ metadata: { long: 'x'.repeat(4096) } }, 'metadata: must have at most 4096 characters'],
    [{ type: 'INBOUND', nuban: '123' }, 'nuban: must be 10 digits'],
    [{ type: 'PARTNER_TERMINAL' }, 'terminal: '],
  ])('%j', async (given, problem) => {
    const answer = await gateway(await server.newPartner(), given);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0]).toContain(problem);
  });
});

describe('404', () => {
  it.each([
    ['a partner', 'PARTNER_NOT_FOUND', () => ({ type: 'PARTNER_GATEWAY', partnerId: NOBODY })],
    ['a terminal', 'TERMINAL_NOT_FOUND', () => ({ type: 'PARTNER_TERMINAL', terminal: 'SN-nobody' })],
    ['an account number', 'WALLET_NOT_FOUND', () => ({ type: 'INBOUND', nuban: '0000000000' })],
  ])('unknown: %s', async (_what, errorCode, given) => {
    const answer = await report({ amount: 1, ...given() });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, errorCode]);
  });

  it('a wallet of another partner, and a split of another terminal', async () => {
    const [one, two] = [await server.newPartner(), await server.newPartner()];
    const { reference } = await newWallet(server, two);
    expect((await gateway(one, { walletReference: reference })).json().errorCode).toBe('WALLET_NOT_FOUND');
    const [first, second] = [await newTerminal(server, one), await newTerminal(server, one)];
    const split = await newSplit(server, second, 1000);
    expect((await atTerminal(first, { split })).json().errorCode).toBe('SPLIT_NOT_FOUND');
    expect(await transactionsOf(server, one)).toEqual({});
  });
});

describe('409', () => {
  it.each([{ amount: 999 }, { sender: { name: 'Somebody else' } }, { comment: 'other' }, { metadata: {} }])(
    'a reference that stands for another request: %j',
    async (other) => {
      const partner = await server.newPartner();
      await gateway(partner, { reference: 'mine' });
      const answer = await gateway(partner, { reference: 'mine', ...other });
      expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'REFERENCE_REUSED']);
      expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ entries: 1 });
    },
  );
});

describe('422', () => {
  it.each([
    ['PNC', 'WALLET_PNC'],
    ['Blocked', 'WALLET_BLOCKED'],
  ])('a wallet in status %s, and the refused reference is all that is written', async (status, errorCode) => {
    const partner = await server.newPartner();
    const wallet = await newWallet(server, partner);
    await server.resources.pool.query('update ledger.account set status = $1 where reference = $2', [
      status,
      wallet.reference,
    ]);
    const refused = await gateway(partner, { reference: 'refused', walletReference: wallet.reference });
    expect([refused.statusCode, refused.json().errorCode]).toEqual([422, errorCode]);
    expect((await inbound(wallet.nuban)).json().errorCode).toBe(errorCode);
    expect(await transactionsOf(server, partner)).toEqual({ refused: errorCode });
    expect(await bookOf(server, 'WALLET', wallet.reference)).toEqual({ kobo: 0, entries: 0 });
    expect(await statusEvents(server, partner)).toEqual([]);
    await server.resources.pool.query(`update ledger.account set status = 'Enabled' where reference = $1`, [
      wallet.reference,
    ]);
    const again = await gateway(partner, { reference: 'refused', walletReference: wallet.reference });
    expect(again.json().errorCode).toBe(errorCode);
  });

  it('naira for a wallet of points', async () => {
    const partner = await server.newPartner();
    const { reference, nuban } = await newWallet(server, partner, 'FP');
    for (const answer of [await gateway(partner, { walletReference: reference }), await inbound(nuban)]) {
      expect([answer.statusCode, answer.json().errorCode]).toEqual([422, 'CURRENCY_MISMATCH']);
    }
  });
});
