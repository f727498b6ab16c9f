import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expireTransactions } from '#modules/offers';
import { expireOverdue, selectById } from '../../../src/modules/offers/store.ts';
import { tagTransactionStatuses, tagTransactionTransitions } from '../../../src/modules/offers/tables.ts';
import { toTagTransaction } from '../../../src/modules/offers/tag-transaction.ts';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { repetitions } from '../../support/cases.ts';
import {
  decide,
  initiate,
  newSide,
  offer,
  SHORT_MS,
  type Side,
  see,
  shortOffer,
  transactionEvents,
  type Verb,
  walletTotals,
} from '../../support/switch.ts';

const MILLION = 100_000_000;

describe('the status of a transaction', () => {
  const server = useApp();
  const outcomes = tagTransactionTransitions.AWAITING_ACCEPTANCE;
  /** What a transaction that waits is led to: one is declined while it is made, and never waits. */
  const ends = ['ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED'] as const;
  type End = (typeof ends)[number];

  /** Moves a transaction at a moment, with no money. False when it was not done. */
  async function moveAt(id: string, to: End, now: Date): Promise<boolean> {
    const { db, offers } = server.resources;
    if (to === 'EXPIRED') return (await db.transaction((tx) => expireOverdue(tx, id, now))) !== undefined;
    const found = await selectById(db, { id });
    if (found === undefined) throw new Error('there is no such transaction');
    const rejected = to === 'REJECTED' ? { rejectedAt: now, rejectionReason: 'no' } : {};
    const transaction = { ...toTagTransaction(found, now), ...rejected, status: to, updatedAt: now };
    const event = { owner: found.row.senderAppId, name: 'TRANSACTION_ACCEPTED', body: '{}' } as const;
    return offers.decide({ transaction, event, release: found.row.holdId ?? 0 });
  }

  /** At a moment when this can be done: expiry after its time, all else before. */
  const move = (id: string, to: End) =>
    moveAt(
      id,
      to,
      to === 'EXPIRED' ? new Date(server.clock.now().getTime() + 100 * 24 * 3_600_000) : server.clock.now(),
    );

  const waitingOffer = async () => offer(server, await newSide(server), await newSide(server));

  describe('from AWAITING_ACCEPTANCE', () => {
    it.each(ends)('to %s, and from there nowhere', async (to) => {
      const { id } = await waitingOffer();
      expect(await move(id, to)).toBe(true);
      expect((await selectById(server.resources.db, { id }))?.row.status).toBe(to);
      for (const next of ends) expect(await move(id, next)).toBe(false);
    });

    it('not to EXPIRED before its time, and to nothing else after it', async () => {
      const { id, expiresAt } = await waitingOffer();
      const over = new Date(expiresAt);
      expect(await moveAt(id, 'EXPIRED', new Date(over.getTime() - 1))).toBe(false);
      for (const to of ends.filter((one) => one !== 'EXPIRED')) expect(await moveAt(id, to, over)).toBe(false);
      expect(await moveAt(id, 'EXPIRED', over)).toBe(true);
    });
  });

  it('every status but the first is an end', () => {
    const without = tagTransactionStatuses.filter((status) => tagTransactionTransitions[status].length === 0);
    expect(new Set(without)).toEqual(new Set(outcomes));
  });
});

describe('at the same time', () => {
  const server = useApp({ FEE_SWITCH: '1%', DATABASE_POOL_MAX: '20' });
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
});

describe('in whatever order', () => {
  const server = useApp({ FEE_SWITCH: '1%', APPLICATION_TOKEN_TTL_S: '86400' });
  /** 1 %, half up, in kobo. */
  const feeOn = (kobo: number): number => Math.floor((kobo + 50) / 100);

  type Step =
    | { do: 'offer'; from: 0 | 1; kobo: number; isShort: boolean }
    | { do: Verb; which: number }
    | { do: 'pass' };

  const steps = fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('offer' as const),
          from: fc.constantFrom(0 as const, 1 as const),
          kobo: fc.integer({ min: 1, max: 60_000_000 }),
          isShort: fc.boolean(),
        }),
      },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constantFrom('accept' as const, 'reject' as const, 'cancel' as const),
          which: fc.nat(9),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ do: 'pass' as const }) },
    ),
    { minLength: 5, maxLength: 25 },
  );

  /** What must come of it, in a few lines that know nothing of ledger or database. */
  class Model {
    readonly total: [number, number] = [MILLION, MILLION];
    readonly held: [number, number] = [0, 0];
    readonly offers: { from: 0 | 1; kobo: number; isShort: boolean; status: string }[] = [];

    offer(from: 0 | 1, kobo: number, isShort: boolean): number {
      const needed = kobo + feeOn(kobo);
      if (this.total[from] - this.held[from] < needed) return 422;
      this.held[from] += needed;
      this.offers.push({ from, kobo, isShort, status: 'waits' });
      return 201;
    }

    decide(which: number, verb: Verb): number {
      const one = this.offers[which];
      if (one === undefined) return 404;
      if (one.status === 'expired') return 410;
      if (one.status !== 'waits') return 409;
      this.#close(which, verb);
      if (verb === 'accept') {
        this.total[one.from] -= one.kobo + feeOn(one.kobo);
        this.total[one.from === 0 ? 1 : 0] += one.kobo;
      }
      return 200;
    }

    pass(): void {
      for (const [which, { status, isShort }] of this.offers.entries()) {
        if (status === 'waits' && isShort) this.#close(which, 'expired');
      }
    }

    #close(which: number, status: string): void {
      const one = this.offers[which];
      if (one === undefined) return;
      this.held[one.from] -= one.kobo + feeOn(one.kobo);
      one.status = status;
    }
  }

  /** Takes a step in the world. @returns the status that is answered, and what the model says it should be */
  async function take(
    step: Step,
    sides: readonly [Side, Side],
    ids: string[],
    model: Model,
  ): Promise<[number, number]> {
    if (step.do === 'pass') {
      server.clock.advance(SHORT_MS);
      model.pass();
      await maintain(server.resources);
      return [0, 0];
    }
    if (step.do === 'offer') {
      const [from, to] = [sides[step.from], sides[step.from === 0 ? 1 : 0]];
      const waitsMs = step.isShort ? SHORT_MS : 100 * SHORT_MS;
      const expiresAt = new Date(server.clock.now().getTime() + waitsMs).toISOString();
      const answer = await initiate(server, from, { receiverTag: to.tag, amount: step.kobo / 100, expiresAt });
      if (answer.statusCode === 201) ids.push(answer.json().data.id);
      return [answer.statusCode, model.offer(step.from, step.kobo, step.isShort)];
    }
    const from = model.offers[step.which]?.from ?? 0;
    const decider = sides[step.do === 'cancel' ? from : from === 0 ? 1 : 0];
    const id = ids[step.which] ?? '00000000-0000-7000-8000-000000000000';
    return [(await decide(server, decider, id, step.do)).statusCode, model.decide(step.which, step.do)];
  }

  it('whatever is offered, accepted, rejected, cancelled and left to expire in whatever order, wallets and holds are exact', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (story) => {
        const sides = [await newSide(server), await newSide(server)] as const;
        const model = new Model();
        const ids: string[] = [];
        for (const step of story) {
          const [answered, expected] = await take(step, sides, ids, model);
          expect(answered).toBe(expected);
          for (const side of [0, 1] as const) {
            expect(await walletTotals(server, sides[side])).toEqual({
              total: model.total[side],
              held: model.held[side],
            });
          }
        }
      }),
      { numRuns: repetitions({ short: 5, soak: 150 }) },
    );
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
