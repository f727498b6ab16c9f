import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { approve, askedFunding, floatOf } from '../../support/approvals.ts';
import { newOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });
const reject = (id: string, reason = 'not theirs') => server.operate('POST', `/approvals/${id}/reject`, { reason });

describe('200', () => {
  it('nothing is moved, then and later', async () => {
    const { id, partnerId } = await askedFunding(server, await newOperator(server, 'finance'));
    expect((await reject(id)).json()).toMatchObject({
      status: 'REJECTED',
      reason: 'not theirs',
      decidedBy: { id: 'root', name: 'root' },
    });
    const answer = await approve(await newOperator(server, 'finance'), id);
    expect(refusalOf(answer)).toEqual([409, 'APPROVAL_NOT_PENDING']);
    expect(await floatOf(server, partnerId)).toBe(0);
  });

  it('whoever asked may take it back', async () => {
    expect((await reject((await askedFunding(server, server)).id)).json()).toMatchObject({ status: 'REJECTED' });
  });
});

describe('409', () => {
  it('for one that was done', async () => {
    const { id, partnerId } = await askedFunding(server, server);
    await approve(await newOperator(server, 'finance'), id);
    expect(refusalOf(await reject(id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
    expect(await floatOf(server, partnerId)).toBe(5000);
  });
});

describe('410', () => {
  it('for one that has expired', async () => {
    const { id } = await askedFunding(server, server);
    server.clock.advance(24 * 3_600_000);
    expect(refusalOf(await reject(id))).toEqual([410, 'APPROVAL_EXPIRED']);
  });
});
