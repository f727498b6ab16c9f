import { expect, it } from 'vitest';
import { expireDisputes } from '#modules/disputes';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import {
  answerDispute,
  decideDispute,
  disputeNow,
  inDays,
  newDispute,
  openDispute,
  walletNow,
} from '../../support/disputes.ts';
import { lockedAmong, openLocker } from '../../support/row-locks.ts';
import { fundedWallet, moveMoney, refund } from '../../support/wallets.ts';

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
  const answers = await Promise.all(Array.from({ length: 8 }, () => openDispute(server, partner.id, { amount: 100 })));
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
  const accounts = [await accountOf('FLOAT', partner.id), await accountOf('WALLET', wallet)].toSorted((a, b) => a - b);
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
