import { describe, expect, it } from 'vitest';
import { expireTransactions } from '#modules/tag-transactions';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { repetitions } from '../../support/repetitions.ts';
import {
  decide,
  newSide,
  offer,
  SHORT_MS,
  see,
  shortOffer,
  transactionEvents,
  walletTotals,
} from '../../support/switch.ts';

const server = useApp({ FEE_SWITCH: '1%', DATABASE_POOL_MAX: '20' });
const MILLION = 100_000_000;
const ROUNDS = repetitions({ short: 4, soak: 60 });
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

/** What each outcome leaves: both wallets, and what each side was told. */
const left = {
  ACCEPTED: [MILLION - 10_100, MILLION + 10_000, ['TRANSACTION_ACCEPTED'], []],
  REJECTED: [MILLION, MILLION, ['TRANSACTION_REJECTED'], []],
  CANCELLED: [MILLION, MILLION, [], ['TRANSACTION_CANCELLED']],
  EXPIRED: [MILLION, MILLION, ['TRANSACTION_EXPIRED'], ['TRANSACTION_EXPIRED']],
} as const;

const entriesOf = async (id: string): Promise<number> => {
  const { rows } = await server.owner.query(
    `select count(*)::int as n from ledger.entry e join ledger.transaction t on t.id = e.transaction_id
      where t.reference = $1`,
    [`SWT-${id}`],
  );
  return rows[0].n;
};

describe('50 who decide one transaction at once', () => {
  it('accept against reject against cancel against expiry: one wins, money moves once or not at all', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [acme, market] = [await newSide(server), await newSide(server)];
      const { id, expiresAt } = await shortOffer(server, acme, market);
      const over = new Date(expiresAt);
      const deciders = [
        () => decide(server, market, id, 'accept'),
        () => decide(server, market, id, 'reject'),
        () => decide(server, acme, id, 'cancel'),
        // As long under way as a request is before it reaches its transaction.
        () => see(server, acme, id).then(() => expireTransactions(server.resources, 10, over)),
      ];
      const decideAs = async (at: number) => deciders[(at + round) % deciders.length]?.();
      const early = round < deciders.length ? [await decideAs(0)] : []; // each is ahead of the others once
      const results = [...early, ...(await times(50 - early.length, (at) => decideAs(at + early.length)))];
      const answers = results.filter((result) => typeof result === 'object');
      const expired = results.filter((result) => typeof result === 'number').reduce((sum, count) => sum + count, 0);
      const won = answers.filter(({ statusCode }) => statusCode === 200);
      expect(won.length + expired).toBe(1);
      for (const { statusCode } of answers) expect([200, 409, 410]).toContain(statusCode);

      const { status } = (await see(server, acme, id)).json().data as { status: keyof typeof left };
      outcomes.add(status);
      const [ofSender, ofReceiver, senderEvents, receiverTold] = left[status];
      expect(await walletTotals(server, acme)).toEqual({ total: ofSender, held: 0 });
      expect(await walletTotals(server, market)).toEqual({ total: ofReceiver, held: 0 });
      expect(await entriesOf(id)).toBe(status === 'ACCEPTED' ? 3 : 0);
      expect((await transactionEvents(server, acme)).map(({ event }) => event)).toEqual(senderEvents);
      expect((await transactionEvents(server, market)).map(({ event }) => event)).toEqual([
        'TRANSACTION_INITIATED',
        ...receiverTold,
      ]);
    }
    expect(outcomes.size).toBe(4);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('accept, 50 times: paid once', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id } = await offer(server, acme, market);
    const answers = await times(50, () => decide(server, market, id, 'accept'));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
    expect(await walletTotals(server, market)).toEqual({ total: MILLION + 10_000, held: 0 });
    expect(await transactionEvents(server, acme)).toHaveLength(1);
  });
});

it('two applications that pay each other, 25 times each at once, never wait for each other for ever', async () => {
  const [acme, market] = [await newSide(server), await newSide(server)];
  const offers = await times(50, async (at) => {
    const [from, to] = at % 2 === 0 ? [acme, market] : [market, acme];
    return { to, id: (await offer(server, from, to, { amount: at + 1 })).id };
  });
  const answers = await times(50, async (at) => {
    const { to, id } = offers[at] ?? { to: acme, id: '' };
    return decide(server, to, id, at % 5 === 0 ? 'reject' : 'accept');
  });
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const sum = (side: number) =>
    offers.reduce((kobo, _one, at) => (at % 2 === side && at % 5 !== 0 ? kobo + (at + 1) * 100 : kobo), 0);
  const fees = (side: number) => sum(side) / 100;
  expect(await walletTotals(server, acme)).toEqual({ total: MILLION - sum(0) - fees(0) + sum(1), held: 0 });
  expect(await walletTotals(server, market)).toEqual({ total: MILLION - sum(1) - fees(1) + sum(0), held: 0 });
  expect(await brokenInvariants(server)).toEqual([]);
});

it('a sweep by several processes at once expires each transaction once, and what others hold open stays', async () => {
  const [acme, market] = [await newSide(server), await newSide(server)];
  const waiting = await offer(server, acme, market);
  await times(30, () => shortOffer(server, acme, market, { amount: 1 }));
  server.clock.advance(SHORT_MS);
  await times(4, () => maintain(server.resources));
  expect(await walletTotals(server, acme)).toEqual({ total: MILLION, held: 10_100 });
  const expired = (await transactionEvents(server, acme)).filter(({ event }) => event === 'TRANSACTION_EXPIRED');
  expect(new Set(expired.map(({ data }) => data.id)).size).toBe(30);
  expect(expired).toHaveLength(30);
  expect((await see(server, market, waiting.id)).json()).toMatchObject({ data: { status: 'AWAITING_ACCEPTANCE' } });
});
