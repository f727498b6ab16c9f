import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bringForward, expireDisputes } from '#modules/disputes';
import { maintain } from '../../../src/worker/maintenance.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { repetitions } from '../../support/cases.ts';
import { callEndpoints, newEndpoint } from '../../support/deliveries.ts';
import {
  answerDispute,
  decideDispute,
  disputeNow,
  inDays,
  newDispute,
  openDispute,
  walletNow,
} from '../../support/disputes.ts';
import { auditOf } from '../../support/operators.ts';
import { lockedAmong, openLocker } from '../../support/row-locks.ts';
import { bookOf, fundedWallet, kycWallet, moveMoney, refund, reverse } from '../../support/wallets.ts';

describe('the events of a dispute', () => {
  const server = useApp();
  const OF_DISPUTES = ['dispute.opened', 'dispute.expired', 'dispute.decided'];
  const WEEK_MS = 7 * 86_400_000;

  /** What was told of disputes to the endpoints of a partner, in order, and whether it can be sent now. */
  async function told({ id }: TestPartner) {
    const { rows } = await server.owner.query<{ to: string; due: boolean; body: string }>(
      `select d.receiver_id as to, d.due_at is not null as due, e.body
      from webhooks.delivery d join outbox.event e on e.id = d.event_id
      join outbox.receiver r on r.id = d.receiver_id
      join outbox.receiver o on o.id = coalesce(r.default_id, r.id)
      where o.owner_id = $1 and e.event like 'dispute.%' order by d.id`,
      [id],
    );
    return rows.map(({ to, due, body }) => ({ to, due, ...JSON.parse(body) }));
  }

  it('endpoints that name the events are told what becomes of a dispute, and no others, and none of what was said', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    const to = await newEndpoint(server, partner, { events: OF_DISPUTES });
    await newEndpoint(server, partner, { events: ['wallet.debited'] });
    await newEndpoint(server, partner);
    await server.call('PUT', '/v2/partner/webhook', {
      headers: partner.headers,
      payload: { url: 'http://127.0.0.1:9/' },
    });
    const { id } = (await openDispute(server, partner.id, { amount: 300, evidence: [{ text: 'Ngozi wrote' }] })).json();
    server.clock.advance(WEEK_MS);
    await maintain(server.resources);
    await decideDispute(server, id, 'LOST');

    const events = await told(partner);
    const about = { ID: id, TransactionReference: 'opening', Wallet: wallet, Amount: 300, Currency: 'NGN' };
    expect(events).toMatchObject([
      {
        to,
        event: 'dispute.opened',
        reference: id,
        data: { ...about, State: 'OPEN', Refunded: 0, RefundReference: '' },
      },
      { to, event: 'dispute.expired', reference: id, data: { ...about, State: 'EXPIRED' } },
      {
        to,
        event: 'dispute.decided',
        reference: id,
        data: { ...about, State: 'LOST', Refunded: 300, RefundReference: `DSP-${id}` },
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Ngozi|not they|papers/);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('an endpoint that is paused is told once it is resumed', async () => {
    const { partner } = await fundedWallet(server, 500);
    const endpoint = await newEndpoint(server, partner, { events: OF_DISPUTES });
    await callEndpoints(server, partner, 'POST', `/${endpoint}/pause`, { reason: 'repairs' });
    await openDispute(server, partner.id);
    expect(await told(partner)).toMatchObject([{ to: endpoint, event: 'dispute.opened', due: false }]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a deadline that passes shows, moves no money and lets none go', async () => {
    const { id, partner, wallet } = await newDispute(server);
    server.clock.advance(WEEK_MS - 60_000);
    await maintain(server.resources);
    expect(await disputeNow(server, id)).toMatchObject({ state: 'OPEN' });
    server.clock.advance(60_000);
    await maintain(server.resources);
    await maintain(server.resources);
    expect(await disputeNow(server, id)).toMatchObject({
      state: 'EXPIRED',
      covered: 300,
      expiredAt: expect.any(String),
    });
    expect(await walletNow(server, wallet)).toMatchObject({ totalAmount: 500, blockedAmount: 300 });
    const spent = await moveMoney(server, partner, wallet, 'debit', { amount: 200.01, reference: 'over' });
    expect(spent.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    const listed = await server.operate('GET', `/disputes?state=EXPIRED&partnerId=${partner.id}`);
    expect(listed.json().items).toMatchObject([{ id }]);
    expect((await auditOf(server, id)).map(({ actor, action }) => [actor, action])).toEqual([
      ['operator:root', 'dispute.open'],
      ['system', 'dispute.expire'],
    ]);
    expect((await openDispute(server, partner.id, { amount: 1 })).json().errorCode).toBe('DISPUTE_OPEN');
  });

  it('a wallet with a dispute is not revoked, even when nothing is left in it', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    await moveMoney(server, partner, wallet, 'debit', { amount: 500, reference: 'gone' });
    const { id } = (await openDispute(server, partner.id)).json();
    const revoke = () => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'they left' });
    expect((await revoke()).json().errorCode).toBe('WALLET_NOT_EMPTY');
    await decideDispute(server, id, 'WON');
    expect((await revoke()).statusCode).toBe(200);
  });

  it('what is told while an endpoint has no URL is kept, and sent once it has one', async () => {
    const { partner } = await fundedWallet(server, 500);
    const [byDefault] = (await callEndpoints(server, partner, 'GET')).json().items;
    await callEndpoints(server, partner, 'PATCH', `/${byDefault?.id}`, { events: OF_DISPUTES });
    await server.call('PUT', '/v2/partner/webhook', { headers: partner.headers, payload: { url: null } });
    await openDispute(server, partner.id);
    expect(await told(partner)).toMatchObject([{ to: byDefault?.id, event: 'dispute.opened' }]);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('at the same time', () => {
  const server = useApp();
  const codes = (answers: readonly { statusCode: number }[]) =>
    answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other);
  const accountOf = async (kind: 'FLOAT' | 'WALLET', reference: string): Promise<number> => {
    const { rows } = await server.owner.query(
      `select id::int from ledger.account where kind = $1 and reference = $2 and currency = 'NGN'`,
      [kind, reference],
    );
    return rows[0].id;
  };

  it('of many who open one of a transaction at once, one does, and one amount is kept', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => openDispute(server, partner.id, { amount: 100 })),
    );
    expect(codes(answers)).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(await walletNow(server, wallet)).toMatchObject({ blockedAmount: 100 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('of decisions that come at once one counts, and its money moves once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, wallet } = await newDispute(server);
      const outcomes = ['LOST', 'WON', 'LOST', 'WON', 'LOST', 'WON'];
      const answers = await Promise.all(outcomes.map((outcome) => decideDispute(server, id, outcome)));
      expect(codes(answers)).toEqual([200, 200, 200, 409, 409, 409]);
      const { state } = await disputeNow(server, id);
      const totalAmount = state === 'WON' ? 500 : 200;
      expect(await walletNow(server, wallet)).toMatchObject({ totalAmount, blockedAmount: 0 });
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('one that is decided while it expires is decided, and workers that expire at once do so once', async () => {
    const later = new Date(inDays(server, 8));
    const opened = await Promise.all(Array.from({ length: 6 }, () => newDispute(server)));
    const outcomes = await Promise.all([
      ...opened.slice(0, 4).map(({ id }) => decideDispute(server, id, 'LOST')),
      expireDisputes(server.resources, 100, later),
      expireDisputes(server.resources, 2, later),
      expireDisputes(server.resources, 100, later),
    ]);
    expect(outcomes.slice(0, 4).map((answer) => (typeof answer === 'number' ? 0 : answer.statusCode))).toEqual([
      200, 200, 200, 200,
    ]);
    const states = await Promise.all(opened.map(async ({ id }) => (await disputeNow(server, id)).state));
    expect(states).toEqual(['LOST', 'LOST', 'LOST', 'LOST', 'EXPIRED', 'EXPIRED']);
    for (const { wallet } of opened.slice(4)) {
      expect(await walletNow(server, wallet)).toMatchObject({ totalAmount: 500, blockedAmount: 300 });
    }
    const { rows } = await server.owner.query(
      `select target from audit.entry where action = 'dispute.expire' group by target having count(*) > 1`,
    );
    expect(rows).toEqual([]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('evidence that was taken came before the decision', async () => {
    const { id, partner } = await newDispute(server);
    const [decided, ...said] = await Promise.all([
      decideDispute(server, id, 'WON'),
      ...Array.from({ length: 6 }, () => answerDispute(server, partner, id)),
    ]);
    expect(decided?.statusCode).toBe(200);
    const taken = said.filter(({ statusCode }) => statusCode === 200);
    expect(said.filter(({ statusCode }) => statusCode === 409)).toHaveLength(6 - taken.length);
    expect((await disputeNow(server, id)).evidence).toHaveLength(taken.length);
  });

  it('a decision and the partner’s refund at once never give back more than came, nor what is disputed twice', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, partner, wallet } = await newDispute(server, { amount: 400 });
      const [lost] = await Promise.all([
        decideDispute(server, id, 'LOST'),
        refund(server, partner, 'opening', { reference: `back-${round}`, amount: 150 }),
        refund(server, partner, 'opening', { reference: `again-${round}`, amount: 100 }),
      ]);
      expect(lost?.statusCode).toBe(200);
      const { refunded } = await disputeNow(server, id);
      const { totalAmount, blockedAmount } = await walletNow(server, wallet);
      // The 100 that is free goes back before the decision, and counts, or after it.
      expect([
        [300, 100],
        [400, 0],
      ]).toContainEqual([refunded, totalAmount]);
      expect(blockedAmount).toBe(0);
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('decisions take their locks in the order of postings, so that none waits for a posting that waits for it', async () => {
    const { id, partner, wallet } = await newDispute(server);
    const accounts = [await accountOf('FLOAT', partner.id), await accountOf('WALLET', wallet)].toSorted(
      (a, b) => a - b,
    );
    const locker = await openLocker(server.owner);
    await locker.lock('ledger.account', accounts.slice(0, 1));
    const deciding = decideDispute(server, id, 'LOST');
    await locker.waitedFor();
    expect(await lockedAmong(server.owner, 'ledger.account', accounts)).toEqual(accounts.slice(0, 1));
    await locker.release();
    expect((await deciding).statusCode).toBe(200);
  });

  it('decisions among postings on the same float and wallets all end', async () => {
    const wallets = await Promise.all(Array.from({ length: 4 }, () => newDispute(server)));
    const answers = await Promise.all(
      wallets.flatMap(({ id, partner: owner, wallet }) => [
        ...Array.from({ length: 4 }, (_, n) =>
          moveMoney(server, owner, wallet, 'debit', { amount: 10, reference: `out-${n}` }),
        ),
        decideDispute(server, id, 'LOST'),
        ...Array.from({ length: 4 }, (_, n) =>
          moveMoney(server, owner, wallet, 'debit', { amount: 10, reference: `more-${n}` }),
        ),
      ]),
    );
    expect(new Set(codes(answers))).toEqual(new Set([200]));
    for (const { wallet } of wallets) expect(await walletNow(server, wallet)).toMatchObject({ totalAmount: 120 });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('in whatever order', () => {
  const RUNS = repetitions({ short: 6, soak: 200 });
  const FLOAT = 1000;
  const WEEK_S = 7 * 86_400;

  const server = useApp();

  const credit = fc.nat(3);
  const amount = fc.integer({ min: 1, max: 120 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('credit' as const), amount }),
    fc.record({ do: fc.constant('debit' as const), amount }),
    fc.record({ do: fc.constant('open' as const), credit, amount: fc.option(amount, { nil: undefined }) }),
    fc.record({ do: fc.constant('decide' as const), credit, outcome: fc.constantFrom('WON', 'LOST') }),
    fc.record({ do: fc.constant('refund' as const), credit, amount }),
    fc.record({ do: fc.constant('reverse' as const), credit }),
    fc.record({ do: fc.constant('expire' as const) }),
  );

  interface Kept {
    id: string;
    credit: number;
    kobo: number;
  }

  it('whatever happens, what is kept is what is disputed and not decided, no money comes or goes, and no credit goes back twice', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
      const partner = await server.newPartner({ float: FLOAT });
      const wallet = await kycWallet(server, partner);
      let credits = 0;
      let kept: Kept[] = [];
      for (const [at, taken] of steps.entries()) {
        const of = 'credit' in taken ? `credit-${taken.credit}` : '';
        const named = { partnerId: partner.id, reference: `step-${at}` };
        if (taken.do === 'credit') {
          const reference = `credit-${credits}`;
          credits += 1;
          await moveMoney(server, partner, wallet, 'credit', { amount: taken.amount, reference });
        } else if (taken.do === 'debit') {
          await moveMoney(server, partner, wallet, 'debit', { amount: taken.amount, reference: `debit-${at}` });
        } else if (taken.do === 'refund') {
          await refund(server, partner, of, { reference: `refund-${at}`, amount: taken.amount });
        } else if (taken.do === 'reverse') {
          await reverse(server, of, named);
        } else if (taken.do === 'expire') {
          await server.resources.transact((tx) => bringForward(tx, { partnerId: partner.id, seconds: WEEK_S }));
          await maintain(server.resources);
        } else if (taken.do === 'open') {
          const opened = await openDispute(server, partner.id, { transactionReference: of, amount: taken.amount });
          const { id, amount: naira } = opened.json();
          if (opened.statusCode === 201) kept.push({ id, credit: taken.credit, kobo: naira * 100 });
        } else {
          const found = kept.find((one) => one.credit === taken.credit);
          const decided = found && (await decideDispute(server, found.id, taken.outcome));
          if (decided && ![200, 422].includes(decided.statusCode)) throw new Error(decided.body);
          if (decided?.statusCode === 200) kept = kept.filter((one) => one !== found);
        }

        const [float, held] = [await bookOf(server, 'FLOAT', partner.id), await bookOf(server, 'WALLET', wallet)];
        expect(float.kobo + held.kobo).toBe(FLOAT * 100);
        expect(held.kobo).toBeGreaterThanOrEqual(0);
        const { blockedAmount, liens } = await walletNow(server, wallet);
        const sum = kept.reduce((all, { kobo }) => all + kobo, 0);
        expect(liens.reduce((all: number, lien: { amount: number }) => all + lien.amount * 100, 0)).toBe(sum);
        expect(blockedAmount * 100).toBe(Math.min(sum, held.kobo));
      }
      const { rows } = await server.owner.query(
        `select t.id from ledger.transaction t join ledger.transaction r on r.original_id = t.id and r.status <> 'Failed'
        where t.owner_id = $1 group by t.id having sum(r.amount) > t.amount`,
        [partner.id],
      );
      expect(rows).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
