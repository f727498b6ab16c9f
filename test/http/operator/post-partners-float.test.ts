import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useSharedApp();
const fund = (id: string, body: object) => server.operate('POST', `/partners/${id}/float`, body);

describe('200', () => {
  it('adds to the float and answers its balance, in each currency', async () => {
    const { id } = await server.newPartner();
    expect((await fund(id, { amount: 1000.5, reference: `a-${id}` })).json()).toEqual({
      currency: 'NGN',
      balance: 1000.5,
    });
    expect((await fund(id, { amount: 0.5, reference: `b-${id}` })).json()).toEqual({ currency: 'NGN', balance: 1001 });
    const points = await fund(id, { amount: 7, currency: 'FP', reference: `c-${id}` });
    expect(points.json()).toEqual({ currency: 'FP', balance: 7 });
  });

  it('a repeated reference funds once, and once only is it in the audit log', async () => {
    const { id } = await server.newPartner();
    const first = await fund(id, { amount: 50, reference: `twice-${id}` });
    await fund(id, { amount: 1, reference: `between-${id}` });
    expect((await fund(id, { amount: 50, reference: `twice-${id}` })).json()).toEqual(first.json());
    const { rows } = await server.owner.query(
      `select after from audit.entry where action = 'float.fund' and target = $1`,
      [id],
    );
    expect(rows.map((row) => row.after.balance)).toEqual(['5000', '5100']);
  });
});

describe('409', () => {
  it('a reference that stands for another amount of this partner, and for no other partner', async () => {
    const [one, two] = [await server.newPartner(), await server.newPartner()];
    await fund(one.id, { amount: 1, reference: 'shared' });
    const answer = await fund(one.id, { amount: 2, reference: 'shared' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().errorCode).toBe('REFERENCE_REUSED');
    expect((await fund(two.id, { amount: 2, reference: 'shared' })).statusCode).toBe(200);
  });
});

describe('422', () => {
  it('more than a float can hold, and the reference stays declined', async () => {
    const { id } = await server.newPartner({ float: 1 });
    const entries = await auditOf(server, id);
    const over = { amount: 9_999_999_999_999.99, reference: `full-${id}` };
    for (let times = 0; times < 2; times += 1) {
      expect(refusalOf(await fund(id, over))).toEqual([422, 'BALANCE_EXCEEDED']);
    }
    expect(await auditOf(server, id)).toEqual(entries);
  });
});
