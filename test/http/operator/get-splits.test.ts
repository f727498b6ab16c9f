import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { inDays } from '../../support/disputes.ts';
import { newSplit, newTerminal, payAt } from '../../support/terminals.ts';

const server = useApp();
let partner: TestPartner;
let serial: string;
let other: string;
beforeAll(async () => {
  partner = await server.newPartner();
  serial = await newTerminal(server, partner);
  other = await newTerminal(server, await server.newPartner());
  await newSplit(server, serial, 10, { reference: 'ten' });
  await newSplit(server, serial, 20, { reference: 'twenty' });
  await newSplit(server, serial, 30, { reference: 'over', expiresAt: inDays(server, 1) });
  await newSplit(server, other, 40, { reference: 'ten' });
  await payAt(server, serial, { amount: 20, split: 'twenty', reference: 'paid-20' });
  server.clock.advance(2 * 24 * 60 * 60 * 1000);
});
const found = async (query: Record<string, string>) => {
  const answer = await server.operate('GET', `/splits?${new URLSearchParams(query).toString()}`);
  const { items, count } = answer.json<{ items: { reference: string; terminal: string }[]; count: number }>();
  expect(count).toBe(items.length);
  return items.map(({ reference, terminal }) => `${reference}@${terminal === serial ? 'one' : 'other'}`);
};

describe('200', () => {
  it.each([
    [{}, ['ten@other', 'over@one', 'twenty@one', 'ten@one']],
    [{ reference: 'ten' }, ['ten@other', 'ten@one']],
    [{ status: 'Paid' }, ['twenty@one']],
    [{ status: 'Expired' }, ['over@one']],
    [{ status: 'Pending' }, ['ten@other', 'ten@one']],
    [{ amountFrom: '20', amountTo: '30' }, ['over@one', 'twenty@one']],
    [{ to: '2026-01-01T00:00:00Z' }, []],
  ])('those that are %j, newest first', async (query: Record<string, string>, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('those of a terminal or of a partner, also as a file', async () => {
    const ofOne = ['over@one', 'twenty@one', 'ten@one'];
    expect([await found({ terminal: serial }), await found({ partnerId: partner.id })]).toEqual([ofOne, ofOne]);
    const file = await server.operate('GET', `/splits?terminal=${serial}&format=csv`);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body.split('\r\n')).toHaveLength(5);
  });
});
