import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { AMOUNT, approve, askedFunding, floatOf } from '../../support/approvals.ts';
import { auditOf } from '../../support/audit.ts';
import { newOperator, operateAs } from '../../support/operators.ts';
import { newReference } from '../../support/payments.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });

describe('200', () => {
  it('does what was asked for, and the audit log names both', async () => {
    const asks = await newOperator(server, 'finance');
    const approves = await newOperator(server, 'admin');
    const { id, partnerId, reference } = await askedFunding(server, asks);
    expect(await floatOf(server, partnerId)).toBe(0);
    const answer = await approve(approves, id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'EXECUTED',
      decidedBy: { id: approves.id, name: approves.name },
      answer: { currency: 'NGN', balance: AMOUNT },
    });
    expect(await floatOf(server, partnerId)).toBe(AMOUNT);
    expect(await auditOf(server, id)).toMatchObject([
      { actor: asks.actor, action: 'approval.request', after: { on: { id: partnerId } } },
      { actor: approves.actor, action: 'approval.approve' },
    ]);
    expect((await auditOf(server, partnerId)).at(-1)).toMatchObject({
      actor: `${asks.actor}, approved by ${approves.actor}`,
      action: 'float.fund',
      after: { reference },
    });
    const found = await server.operate('GET', `/audit?actor=operator:${asks.id}&action=float.fund`);
    expect(found.json()).toMatchObject({ count: 1 });
  });

  it('whoever repeats what was approved gets the answer, and moves nothing twice', async () => {
    const approves = await newOperator(server, 'finance');
    const { id: partnerId } = await server.newPartner();
    const fund = { amount: AMOUNT, reference: newReference() };
    const ask = () => server.operate('POST', `/partners/${partnerId}/float`, fund);
    const { id } = (await ask()).json();
    expect((await ask()).json().id).toBe(id);
    await approve(approves, id);
    const again = await ask();
    expect([again.statusCode, again.json()]).toEqual([200, { currency: 'NGN', balance: AMOUNT }]);
    expect(await floatOf(server, partnerId)).toBe(AMOUNT);
  });

  it.each([
    ['as much as the threshold is done at once', 1000, 200],
    ['a kobo more waits', 1000.01, 202],
  ])('%s', async (_what, amount, status) => {
    const { id } = await server.newPartner();
    const answer = await server.operate('POST', `/partners/${id}/float`, { amount, reference: newReference() });
    expect(answer.statusCode).toBe(status);
  });
});

describe('403', () => {
  it('nobody approves their own, root included', async () => {
    const admin = await newOperator(server, 'admin');
    for (const by of [admin, server]) {
      const { id, partnerId } = await askedFunding(server, by);
      expect(refusalOf(await approve(by, id))).toEqual([403, 'APPROVAL_OWN']);
      expect(await floatOf(server, partnerId)).toBe(0);
    }
  });

  it('nor by a token that was rotated since: it is the same person’s', async () => {
    const asks = await newOperator(server, 'finance');
    const { id } = await askedFunding(server, asks);
    const rotated = await asks.operate('POST', `/operators/${asks.id}/rotate`, {});
    const { token } = rotated.json<{ token: string }>();
    expect(refusalOf(await approve({ operate: operateAs(server, token) }, id))).toEqual([403, 'APPROVAL_OWN']);
  });

  it('who tries to is a security event', async () => {
    const asks = await newOperator(server, 'admin');
    const { id } = await askedFunding(server, asks);
    const before = server.logged.length;
    await approve(asks, id);
    const lines = server.logged.slice(before).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: 'role_refused', errorCode: 'APPROVAL_OWN', principal: `operator:${asks.id}` }),
    );
  });

  it('nor what their role may not do', async () => {
    const { id } = await askedFunding(server, server);
    const answer = await approve(await newOperator(server, 'support'), id);
    expect(refusalOf(answer)).toEqual([403, 'ROLE_REFUSED']);
  });
});

describe('409', () => {
  it('for one that was done, by whoever', async () => {
    const { id, partnerId } = await askedFunding(server, server);
    const approves = await newOperator(server, 'finance');
    await approve(approves, id);
    for (const by of [approves, await newOperator(server, 'finance')]) {
      expect(refusalOf(await approve(by, id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
    }
    expect(await floatOf(server, partnerId)).toBe(AMOUNT);
  });
});

describe('410', () => {
  it('for one that nobody answered within a day; asked for again it is another', async () => {
    const { id: partnerId } = await server.newPartner();
    const fund = { amount: AMOUNT, reference: newReference() };
    const ask = async () => (await server.operate('POST', `/partners/${partnerId}/float`, fund)).json().id;
    const id = await ask();
    server.clock.advance(24 * 3_600_000);
    expect((await server.operate('GET', `/approvals/${id}`)).json()).toMatchObject({ status: 'EXPIRED' });
    expect(refusalOf(await approve(await newOperator(server, 'finance'), id))).toEqual([410, 'APPROVAL_EXPIRED']);
    expect(await ask()).not.toBe(id);
    expect(await floatOf(server, partnerId)).toBe(0);
  });
});

describe('422', () => {
  it('the operation is judged as of then: what it refuses is refused, and the request has failed', async () => {
    const { id: partnerId } = await server.newPartner();
    const fund = { amount: AMOUNT, reference: newReference() };
    const asked = await server.operate('POST', `/partners/${partnerId}/settlement`, fund);
    expect(asked.statusCode).toBe(202);
    const { id } = asked.json<{ id: string }>();
    const answer = await approve(await newOperator(server, 'finance'), id);
    expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const failed = { status: 'FAILED', errorCode: 'INSUFFICIENT_FUNDS' };
    expect((await server.operate('GET', `/approvals/${id}`)).json()).toMatchObject(failed);
    expect((await auditOf(server, id)).map(({ action }) => action)).toEqual([
      'approval.request',
      'approval.approve',
      'approval.fail',
    ]);
  });
});
