import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { bookOf, newWallet, paymentsOf, transactionsOf } from '../../support/payments.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';

const server = useSharedApp();
const { report, gateway, atTerminal } = paymentsOf(server);
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
