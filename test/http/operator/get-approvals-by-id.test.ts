import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { AMOUNT, approve, askedFunding } from '../../support/approvals.ts';
import { newOperator } from '../../support/operators.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });

describe('200', () => {
  it('shows what is asked for to whose role may do it, and to nobody else', async () => {
    const { id, partnerId, reference } = await askedFunding(server, server);
    const shownTo = async (role: 'support' | 'finance') =>
      (await (await newOperator(server, role)).operate('GET', `/approvals/${id}`)).json();
    const request = { params: { id: partnerId }, body: { amount: AMOUNT, reference } };
    expect(await shownTo('finance')).toMatchObject({ id, request });
    expect(await shownTo('support')).not.toHaveProperty('request');
  });

  it('shows what came of it to whoever asked and whoever approved', async () => {
    const asks = await newOperator(server, 'finance');
    const approves = await newOperator(server, 'finance');
    const other = await newOperator(server, 'finance');
    const { id } = await askedFunding(server, asks);
    await approve(approves, id);
    const shown = await Promise.all([asks, approves, other].map(async (one) => one.operate('GET', `/approvals/${id}`)));
    const answer = { currency: 'NGN', balance: AMOUNT };
    expect(shown.map((one) => one.json().answer)).toEqual([answer, answer, undefined]);
  });
});
