import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { AMOUNT, approve, askedFunding, auditOf, floatOf, newOperator, operateAs } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newReference } from '../../support/wallets.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });

describe('GET /approvals', () => {
  it('lists requests newest first, by status, operation and who asked, without what is asked for', async () => {
    const ngozi = await newOperator(server, 'finance');
    const first = await askedFunding(server, ngozi);
    const second = await askedFunding(server, server);
    await server.operate('POST', `/approvals/${first.id}/reject`, { reason: 'not theirs' });
    const list = async (query: string) => {
      const { items } = (await server.operate('GET', `/approvals${query}`)).json<{ items: { id: string }[] }>();
      return items.map(({ id }) => id);
    };
    expect(await list('')).toEqual([second.id, first.id]);
    expect(await list('?status=PENDING')).toEqual([second.id]);
    expect(await list(`?requestedBy=${ngozi.id}`)).toEqual([first.id]);
    expect(await list('?requestedBy=root&operation=POST+%2Fpartners%2F%3Aid%2Ffloat')).toEqual([second.id]);
    expect(await list('?operation=POST+%2Fremittances')).toEqual([]);
    const { items } = (await server.operate('GET', '/approvals?status=PENDING')).json();
    expect(items[0]).toEqual({
      id: second.id,
      operation: 'POST /partners/:id/float',
      status: 'PENDING',
      amount: AMOUNT,
      requestedBy: { id: 'root', name: 'root' },
      createdAt: expect.any(String),
      expiresAt: new Date(Date.parse(items[0].createdAt) + 24 * 3_600_000).toISOString(),
    });
  });
});

describe('GET /approvals/{id}', () => {
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

describe('POST /approvals/{id}/approve', () => {
  it('does what was asked for, and the audit log names both', async () => {
    const asks = await newOperator(server, 'finance');
    const approves = await newOperator(server, 'admin');
    const { id, partnerId, reference } = await askedFunding(server, asks);
    expect(await floatOf(server, partnerId)).toBe(0);
    const answer = await approve(approves, id);
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

  it('403: nobody approves their own, root included', async () => {
    const admin = await newOperator(server, 'admin');
    for (const by of [admin, server]) {
      const { id, partnerId } = await askedFunding(server, by);
      expect(refusalOf(await approve(by, id))).toEqual([403, 'APPROVAL_OWN']);
      expect(await floatOf(server, partnerId)).toBe(0);
    }
  });

  it('403: nor by a token that was rotated since: it is the same person’s', async () => {
    const asks = await newOperator(server, 'finance');
    const { id } = await askedFunding(server, asks);
    const rotated = await asks.operate('POST', `/operators/${asks.id}/rotate`, {});
    const { token } = rotated.json<{ token: string }>();
    expect(refusalOf(await approve({ operate: operateAs(server, token) }, id))).toEqual([403, 'APPROVAL_OWN']);
  });

  it('403: who tries to is a security event', async () => {
    const asks = await newOperator(server, 'admin');
    const { id } = await askedFunding(server, asks);
    const before = server.logged.length;
    await approve(asks, id);
    const lines = server.logged.slice(before).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: 'role_refused', errorCode: 'APPROVAL_OWN', principal: `operator:${asks.id}` }),
    );
  });

  it('403: nor what their role may not do', async () => {
    const { id } = await askedFunding(server, server);
    const answer = await approve(await newOperator(server, 'support'), id);
    expect(refusalOf(answer)).toEqual([403, 'ROLE_REFUSED']);
  });

  it('409: for one that was done, by whoever', async () => {
    const { id, partnerId } = await askedFunding(server, server);
    const approves = await newOperator(server, 'finance');
    await approve(approves, id);
    for (const by of [approves, await newOperator(server, 'finance')]) {
      expect(refusalOf(await approve(by, id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
    }
    expect(await floatOf(server, partnerId)).toBe(AMOUNT);
  });

  it('410: for one that nobody answered within a day; asked for again it is another', async () => {
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

  it('422: the operation is judged as of then: what it refuses is refused, and the request has failed', async () => {
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

describe('POST /approvals/{id}/reject', () => {
  const reject = (id: string, reason = 'not theirs') => server.operate('POST', `/approvals/${id}/reject`, { reason });

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

  it('409: for one that was done', async () => {
    const { id, partnerId } = await askedFunding(server, server);
    await approve(await newOperator(server, 'finance'), id);
    expect(refusalOf(await reject(id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
    expect(await floatOf(server, partnerId)).toBe(5000);
  });

  it('410: for one that has expired', async () => {
    const { id } = await askedFunding(server, server);
    server.clock.advance(24 * 3_600_000);
    expect(refusalOf(await reject(id))).toEqual([410, 'APPROVAL_EXPIRED']);
  });
});
