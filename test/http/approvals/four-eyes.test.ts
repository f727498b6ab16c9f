import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { asMinor } from '#lib/minor-units.ts';
import { approveRequest, expireApprovals, type StoredInput } from '#modules/operators';
import { fundFloat } from '#modules/treasury';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import {
  AMOUNT,
  approve,
  askedFunding,
  auditOf,
  floatOf,
  newOperator,
  type TestOperator,
} from '../../support/operators.ts';
import { forget } from '../../support/other-times.ts';
import { refusalOf } from '../../support/refusals.ts';
import { earn, fundedWallet, loggedIn, newReference, newWallet, pay, waitingPayment } from '../../support/wallets.ts';

/** Where nothing waits for its amount: what the tests need is made there. */
const open = useApp();
const server = useApp({ APPROVAL_ABOVE: '10' }, open);
const elsewhere = useApp({ APPROVAL_ABOVE: '10' }, open);
const REASON = { reason: 'a complaint' };
const DAY_MS = 24 * 3_600_000;

it('V2.3.5: whatever an operator moves by hand waits above the threshold, and moves nothing', async () => {
  const partner = await open.newPartner({ float: 1000 });
  const { nuban } = await newWallet(open, partner);
  const { applicationId } = await newApplication(open);
  const { partner: funded } = await fundedWallet(open, 50);
  const waiting = await waitingPayment(open, partner);
  await earn(open, 100n);
  const finance = await newOperator(server, 'finance');
  const sender = { name: 'Bola Ade' };
  const moved = { amount: 11, reference: newReference() };
  const asked: [path: string, body: object][] = [
    [`/partners/${partner.id}/float`, moved],
    [`/partners/${partner.id}/settlement`, moved],
    [`/applications/${applicationId}/fund`, moved],
    [`/applications/${applicationId}/settlement`, moved],
    ['/remittances', { ...moved, ...REASON, account: 'FEE' }],
    ['/transactions', { ...moved, type: 'INBOUND', nuban, sender }],
    ['/transactions', { ...moved, type: 'PARTNER_GATEWAY', partnerId: partner.id, sender }],
    ['/transactions/opening/refund', { ...REASON, ...moved, partnerId: funded.id }],
    ['/transactions/opening/reverse', { ...REASON, reference: newReference(), partnerId: funded.id }],
    [`/suspense/${waiting.id}/resolve`, { ...REASON, to: 'float' }],
  ];
  const { rows: before } = await server.owner.query('select count(*) from ledger.entry');
  for (const [path, body] of asked) {
    const answer = await finance.operate('POST', path, body);
    expect([path, answer.statusCode, answer.json().status]).toEqual([path, 202, 'PENDING']);
  }
  const { rows: after } = await server.owner.query('select count(*) from ledger.entry');
  expect(after).toEqual(before);
});

it('V2.3.5: a refund without an amount waits for what it would give back, whichever partner of the transfer names it', async () => {
  const [here, there] = [await open.newPartner({ float: 400 }), await open.newPartner()];
  const [ada, bola] = [await loggedIn(open, here, 400), await loggedIn(open, there)];
  const sent = await pay(open, ada, { paytag: bola.paytag, amount: 400, reference: newReference() });
  const { Reference } = sent.json<{ Reference: string }>();
  for (const { id: partnerId } of [there, here]) {
    const back = { ...REASON, partnerId, reference: newReference() };
    const answer = await server.operate('POST', `/transactions/${Reference}/refund`, back);
    expect([answer.statusCode, answer.json().amount]).toEqual([202, 400]);
  }
});

it.each(['refund', 'reverse'])('V2.3.5: a %s of what does not exist is refused, not stored', async (what) => {
  const { id: partnerId } = await open.newPartner();
  const answer = await server.operate('POST', `/transactions/nothing/${what}`, {
    ...REASON,
    partnerId,
    reference: newReference(),
  });
  expect(refusalOf(answer)).toEqual([404, 'TRANSACTION_NOT_FOUND']);
});

it('V15.4.2: of fifty approvals at once, in two processes, one is done', async () => {
  const { id, partnerId } = await askedFunding(server, server);
  const approvers: TestOperator[] = [];
  for (const process of [server, elsewhere]) {
    for (let count = 0; count < 5; count++) approvers.push(await newOperator(process, 'finance'));
  }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, place) => approve(approvers[place % approvers.length] as TestOperator, id)),
  );
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  expect(await floatOf(server, partnerId)).toBe(AMOUNT);
});

it('V15.4.2: an approval and a rejection at once: one of them stands', async () => {
  const finance = await newOperator(server, 'finance');
  const admin = await newOperator(server, 'admin');
  for (let round = 0; round < 5; round++) {
    const { id, partnerId } = await askedFunding(server, server);
    const [approved, rejected] = await Promise.all([
      approve(finance, id),
      admin.operate('POST', `/approvals/${id}/reject`, REASON),
    ]);
    expect(new Set([approved.statusCode, rejected.statusCode])).toEqual(new Set([200, 409]));
    expect(await floatOf(server, partnerId)).toBe(approved.statusCode === 200 ? AMOUNT : 0);
  }
});

it('V15.4.2: the same asked for fifty times at once is one request', async () => {
  const { id } = await server.newPartner();
  const fund = { amount: AMOUNT, reference: newReference() };
  const ask = () => server.operate('POST', `/partners/${id}/float`, fund);
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
});

/** Approves a funding as a process would that dies: before it has moved the money, after it, or never saying more. */
async function approveAndDie(id: string, approver: TestOperator, death: 'before' | 'after' | 'silent') {
  const operation = 'POST /partners/:id/float';
  const run = async ({ params, body }: StoredInput, actor: string) => {
    const { reference } = JSON.parse(body) as { reference: string };
    const funding = {
      actor,
      partnerId: params['id'] ?? '',
      amount: asMinor(500_000n),
      currency: 'NGN',
      reference,
    } as const;
    if (death !== 'before') await fundFloat(server.resources, funding);
    if (death !== 'silent') throw new Error('cut off');
    return new Promise(() => {});
  };
  const operations = new Map([[operation, { name: operation, role: 'finance', run } as const]]);
  return approveRequest(server.resources, { id, operations, by: { ...approver, role: 'finance' } });
}

it('V2.3.3: what died between approval and end is done when it is approved again, and once in all', async () => {
  const { id, partnerId } = await askedFunding(server, server);
  const first = await newOperator(server, 'finance');
  for (const death of ['before', 'after'] as const) {
    await expect(approveAndDie(id, first, death)).rejects.toThrow('cut off');
    expect((await server.operate('GET', `/approvals/${id}`)).json()).toMatchObject({ status: 'APPROVED' });
  }
  const answer = await approve(await newOperator(server, 'finance'), id);
  expect(answer.json()).toMatchObject({ status: 'EXECUTED', decidedBy: { id: first.id } });
  expect(await floatOf(server, partnerId)).toBe(AMOUNT);
});

it('V2.3.3: a process that died in silence has the request to itself for a minute, and then no more', async () => {
  const { id, partnerId } = await askedFunding(server, server);
  const [first, second] = [await newOperator(server, 'finance'), await newOperator(server, 'finance')];
  void approveAndDie(id, first, 'silent');
  await vi.waitFor(async () => expect(await floatOf(server, partnerId)).toBe(AMOUNT), { timeout: 30_000 });
  expect(refusalOf(await approve(second, id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
  server.clock.advance(60_000);
  expect((await approve(second, id)).json()).toMatchObject({ status: 'EXECUTED', answer: { balance: AMOUNT } });
  expect(await floatOf(server, partnerId)).toBe(AMOUNT);
});

it('V8.3.2: who asked and was disabled or demoted since has asked for nothing', async () => {
  const change = {
    disabled: (id: string) => server.operate('POST', `/operators/${id}/disable`, REASON),
    demoted: (id: string) => server.operate('PATCH', `/operators/${id}`, { ...REASON, role: 'viewer' }),
  };
  for (const end of Object.values(change)) {
    const asks = await newOperator(server, 'finance');
    const { id, partnerId } = await askedFunding(server, asks);
    await end(asks.id);
    expect(refusalOf(await approve(server, id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
    expect((await server.operate('GET', `/approvals/${id}`)).json()).toMatchObject({ status: 'REJECTED' });
    expect(await floatOf(server, partnerId)).toBe(0);
  }
});

it('V8.3.2: nor is it done after a crash when whoever asked was disabled since', async () => {
  const asks = await newOperator(server, 'finance');
  const { id, partnerId } = await askedFunding(server, asks);
  await expect(approveAndDie(id, await newOperator(server, 'finance'), 'before')).rejects.toThrow('cut off');
  await server.operate('POST', `/operators/${asks.id}/disable`, REASON);
  expect(refusalOf(await approve(server, id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
  const failed = { status: 'FAILED', errorCode: 'ROLE_REFUSED' };
  expect((await server.operate('GET', `/approvals/${id}`)).json()).toMatchObject(failed);
  expect(await floatOf(server, partnerId)).toBe(0);
});

it('V8.3.2: an approver who was disabled in the meantime approves nothing', async () => {
  const { id, partnerId } = await askedFunding(server, server);
  const approver = await newOperator(server, 'admin');
  await server.operate('POST', `/operators/${approver.id}/disable`, REASON);
  expect(refusalOf(await approve(approver, id))).toEqual([401, 'INVALID_CREDENTIALS']);
  expect(await floatOf(server, partnerId)).toBe(0);
});

it('V14.2.4: what is asked for is sealed at rest, and forgotten a month after its end', async () => {
  const { id, reference } = await askedFunding(server, server);
  const stored = async () => {
    const { rows } = await server.owner.query('select a::text as row, * from approvals.approval a where id = $1', [id]);
    return rows[0];
  };
  expect((await stored()).row).not.toContain(Buffer.from(reference).toString('hex'));
  await approve(await newOperator(server, 'finance'), id);
  const inDays = (days: number) => new Date(server.clock.now().getTime() + days * DAY_MS);
  await forget(server.resources, 'approvals.approval', inDays(29));
  expect((await stored()).input_sealed).not.toBeNull();
  await forget(server.resources, 'approvals.approval', inDays(31));
  expect(await stored()).toMatchObject({ input_sealed: null, answer_sealed: null, status: 'EXECUTED' });
});

it('V2.3.2: what nobody answers is marked as expired by a worker, whichever of them', async () => {
  const { id } = await askedFunding(server, server);
  server.clock.advance(DAY_MS);
  const now = server.clock.now();
  const counts = await Promise.all([server, elsewhere].map(({ resources }) => expireApprovals(resources, 200, now)));
  expect(counts.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(1);
  const { rows } = await server.owner.query('select status from approvals.approval where id = $1', [id]);
  expect(rows).toEqual([{ status: 'EXPIRED' }]);
});

it.each([
  ['by whoever asked', 'APPROVED', 'requested_by'],
  ['by nobody', 'APPROVED', 'null'],
  ['by nobody', 'EXECUTED', 'null'],
  ['by nobody', 'FAILED', 'null'],
  ['by whoever asked', 'EXECUTED', 'requested_by'],
])('V2.3.5: the database itself refuses an approval %s: %s', async (_by, status, who) => {
  const { id } = await askedFunding(server, server);
  const approved = server.owner.query(
    `update approvals.approval set status = $2, decided_by = ${who}, decided_by_name = 'x', decided_at = now() where id = $1`,
    [id, status],
  );
  await expect(approved).rejects.toThrow('approval_four_eyes');
});

/** As whoever has come to the server's login of the database, and to no key. */
const write = (statement: string, values: unknown[]) => server.resources.pool.query(statement, values);

it('V2.3.5: a request that was given what another asks for is refused, and ends', async () => {
  const [asked, other] = [await askedFunding(server, server), await askedFunding(server, server)];
  await write(
    'update approvals.approval set input_sealed = (select input_sealed from approvals.approval where id = $2) where id = $1',
    [asked.id, other.id],
  );
  const second = await newOperator(server, 'admin');
  expect((await second.operate('GET', `/approvals/${asked.id}`)).json()).not.toHaveProperty('request');
  expect(refusalOf(await approve(second, asked.id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
  expect((await server.operate('GET', `/approvals/${asked.id}`)).json()).toMatchObject({ status: 'REJECTED' });
  expect((await auditOf(server, asked.id)).at(-1)).toMatchObject({ actor: second.actor, action: 'approval.forged' });
  expect(await floatOf(server, other.partnerId)).toBe(0);
  expect((await approve(second, other.id)).statusCode).toBe(200);
});

it('V2.3.5: a request that was copied in another’s name is not approved by whoever asked', async () => {
  const [asks, named] = [await newOperator(server, 'finance'), await newOperator(server, 'admin')];
  const { id, partnerId } = await askedFunding(server, asks);
  const { rows } = await write(
    `insert into approvals.approval
         (operation, digest, input_sealed, amount, requested_by, requested_by_name, created_at, expires_at)
       select operation, $2, input_sealed, amount, $3, $4, created_at, expires_at
         from approvals.approval where id = $1 returning id`,
    [id, randomBytes(32), named.id, named.name],
  );
  expect(refusalOf(await approve(asks, rows[0].id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
  expect(await floatOf(server, partnerId)).toBe(0);
});

it('V2.3.5: a request that was only marked as done is not done when it is asked for again', async () => {
  const named = await newOperator(server, 'admin');
  const { id: partnerId } = await server.newPartner();
  const ask = async () =>
    server.operate('POST', `/partners/${partnerId}/float`, { amount: 5000, reference: `marked-${partnerId}` });
  const { id } = (await ask()).json<{ id: string }>();
  const done = await askedFunding(server, server);
  await approve(named, done.id);
  await write(
    `update approvals.approval set status = 'EXECUTED', decided_by = $2, decided_by_name = 'x', ended_at = now(),
       answer_sealed = (select answer_sealed from approvals.approval where id = $3) where id = $1`,
    [id, named.id, done.id],
  );
  expect((await ask()).statusCode).toBe(202);
  expect(await floatOf(server, partnerId)).toBe(0);
});
