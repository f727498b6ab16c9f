import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants, leavesNothingBut } from '../../support/books.ts';

const server = useApp();
const settle = (id: string, body: object) => server.operate('POST', `/partners/${id}/settlement`, body);

describe('200', () => {
  it('takes from the float, answers its balance, and is audited', async () => {
    const { id } = await server.newPartner({ float: 1_000 });
    const answer = await settle(id, { amount: 400.5, reference: `s-${id}` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ currency: 'NGN', balance: 599.5 });
    expect((await auditOf(server, id)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'float.settle',
      before: { currency: 'NGN', balance: '100000' },
      after: { currency: 'NGN', balance: '59950', reference: `s-${id}` },
      reason: null,
    });
  });

  it('a repeated reference settles once, and once only is it audited', async () => {
    const { id } = await server.newPartner({ float: 100 });
    const first = await settle(id, { amount: 60, reference: `twice-${id}` });
    const entries = (await auditOf(server, id)).length;
    expect((await settle(id, { amount: 60, reference: `twice-${id}` })).json()).toEqual(first.json());
    expect(await auditOf(server, id)).toHaveLength(entries);
  });
});

describe('422', () => {
  it('more than the float holds leaves nothing but the declined reference, and no audit', async () => {
    const { id } = await server.newPartner({ float: 100 });
    const entries = (await auditOf(server, id)).length;
    const over = () => settle(id, { amount: 100.01, reference: `over-${id}` });
    const answer = await leavesNothingBut(server, 1, over);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    await server.operate('POST', `/partners/${id}/float`, { amount: 100, reference: `more-${id}` });
    expect((await leavesNothingBut(server, 0, over)).json().errorCode).toBe('INSUFFICIENT_FUNDS');
    expect(await auditOf(server, id)).toHaveLength(entries + 1);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
