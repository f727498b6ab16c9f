import { beforeAll, describe, expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { type Answer, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { countedIn, useCounting } from '../../support/plans.ts';
import { refusalOf } from '../../support/refusals.ts';
import {
  decide,
  initiate,
  newSide,
  newTag,
  offer,
  SHORT_MS,
  type Side,
  see,
  shortOffer,
  type TransactionOut,
  transactionEvents,
} from '../../support/switch.ts';

const server = useApp();

describe('GET /transactions', () => {
  const find = (who: Pick<Side, 'headers'>, query: string): Promise<Answer> =>
    server.call('GET', `/api/v1/transactions${query}`, { headers: who.headers });

  it('the transaction to which the sender gave this reference, as it is now', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const made = await initiate(server, acme, { receiverTag: market.tag, reference: 'order-1' });
    const answer = await find(acme, '?reference=order-1');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.json()).toMatchObject({ success: true, errorCode: '', data: [made.json().data] });
    await decide(server, market, made.json().data.id, 'accept');
    expect((await find(acme, '?reference=order-1')).json().data).toMatchObject([{ status: 'ACCEPTED' }]);
  });

  it('one that was declined, with the reason', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const asked = { receiverTag: market.tag, reference: 'too-much', amount: 2_000_000 };
    const declined = await initiate(server, acme, asked);
    expect(declined.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    const { data } = (await find(acme, '?reference=too-much')).json();
    expect(data).toMatchObject([{ status: 'DECLINED', failureReason: 'INSUFFICIENT_FUNDS', amount: 2_000_000 }]);
    expect((await initiate(server, acme, asked)).json().errorCode).toBe('INSUFFICIENT_FUNDS');
  });

  it('nothing for a reference that the caller did not use: the receiver’s application finds it not', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    await initiate(server, acme, { receiverTag: market.tag, reference: 'order-2' });
    for (const [who, reference] of [
      [market, 'order-2'],
      [acme, 'order-3'],
    ] as const) {
      const answer = await find(who, `?reference=${reference}`);
      expect([answer.statusCode, answer.json().data]).toEqual([200, []]);
    }
  });
});

describe('GET /transactions/{id}', () => {
  it('finds and decides a transaction by its id in capitals', async () => {
    const [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
    const { id } = await offer(server, acme, market);
    const found = await see(server, acme, id.toUpperCase());
    expect([found.statusCode, found.json().data.id, found.json().data.webhooks.length]).toEqual([
      200,
      id,
      (await see(server, acme, id)).json().data.webhooks.length,
    ]);
    expect((await decide(server, market, id.toUpperCase(), 'accept')).statusCode).toBe(200);
  });

  it('shows a transaction to both sides, each with its own webhook records alone', async () => {
    const [acme, market] = [
      await newSide(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/acme' }),
      await newSide(server, 'Market', { webhookUrl: 'http://127.0.0.1:9/market' }),
    ];
    const { id, reference } = await offer(server, acme, market);
    await decide(server, market, id, 'accept');
    const [bySender, byReceiver] = [await see(server, acme, id), await see(server, market, id)];
    const { webhooks: senders, ...one } = bySender.json().data;
    const { webhooks: receivers, ...other } = byReceiver.json().data;
    expect(one).toEqual(other);
    expect(one).toMatchObject({ id, status: 'ACCEPTED' });
    const record = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transactionId: id,
      transactionReference: reference,
      status: 'PENDING',
      attempts: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(senders).toEqual([
      {
        ...record,
        applicationId: acme.applicationId,
        applicationName: 'Acme',
        direction: 'SENDER',
        targetUrl: 'http://127.0.0.1:9/acme',
        eventType: 'TRANSACTION_ACCEPTED',
      },
    ]);
    expect(receivers).toEqual([
      {
        ...record,
        applicationId: market.applicationId,
        applicationName: 'Market',
        direction: 'RECEIVER',
        targetUrl: 'http://127.0.0.1:9/market',
        eventType: 'TRANSACTION_INITIATED',
      },
    ]);
  });

  it('records of another transaction of the same reference are not shown with it', async () => {
    const market = await newSide(server, 'Market');
    const ids = [];
    for (const name of ['Acme', 'Rides']) {
      ids.push((await offer(server, await newSide(server, name), market, { reference: 'order-1' })).id);
    }
    for (const id of ids) {
      const { webhooks } = (await see(server, market, id)).json().data;
      expect(webhooks).toMatchObject([{ transactionId: id, eventType: 'TRANSACTION_INITIATED' }]);
    }
  });

  it('once a webhook is purged its record stands with its transaction, also where two have its reference', async () => {
    const market = await newSide(server, 'Market');
    const [acme, rides] = [await newSide(server, 'Acme'), await newSide(server, 'Rides')];
    const one = await offer(server, acme, market, { reference: 'order-1' });
    const other = await offer(server, rides, market, { reference: 'order-1' });
    const purge = `update outbox.event e set body = null, body_digest = sha256(convert_to(body, 'UTF8')) from outbox.receiver r
                    where r.id = e.receiver_id and r.owner_id = $1`;
    await server.owner.query(purge, [market.applicationId]);
    for (const { id } of [one, other]) {
      const { webhooks } = (await see(server, market, id)).json().data;
      expect(webhooks).toMatchObject([{ transactionId: id, eventType: 'TRANSACTION_INITIATED' }]);
    }
  });

  it('an overdue one is EXPIRED before and after the sweep, which notifies both sides, one application once', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const { id } = await shortOffer(server, acme, market);
    const own = await shortOffer(server, acme, { ...acme, tag: await newTag(server, acme) });
    server.clock.advance(SHORT_MS);
    expect((await see(server, acme, id)).json()).toMatchObject({ data: { status: 'EXPIRED' } });
    await maintain(server.resources);
    const { data } = (await see(server, acme, id)).json();
    expect(data).toMatchObject({
      status: 'EXPIRED',
      webhooks: [{ eventType: 'TRANSACTION_EXPIRED', direction: 'SENDER' }],
    });
    expect((await see(server, market, id)).json().data.webhooks).toMatchObject([
      { eventType: 'TRANSACTION_INITIATED' },
      { eventType: 'TRANSACTION_EXPIRED', direction: 'RECEIVER' },
    ]);
    const expired = (await transactionEvents(server, acme)).filter(({ event }) => event === 'TRANSACTION_EXPIRED');
    expect(expired.map((event) => event.data.id)).toEqual([id, own.id]);
  });

  it('200: a declined one, to its sender alone, with its reason', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    await initiate(server, acme, { receiverTag: market.tag, amount: 2_000_000, reference: 'declined' });
    const found = await server.call('GET', '/api/v1/transactions?reference=declined', { headers: acme.headers });
    const [declined] = found.json<{ data: { id: string }[] }>().data;
    const bySender = await see(server, acme, declined?.id ?? '');
    expect(bySender.json().data).toEqual(declined);
    expect(declined).toMatchObject({ status: 'DECLINED', failureReason: 'INSUFFICIENT_FUNDS' });
    expect((await see(server, market, declined?.id ?? '')).statusCode).toBe(404);
    expect(refusalOf(await decide(server, acme, declined?.id ?? '', 'cancel'))).toEqual([
      409,
      'TRANSACTION_NOT_PENDING',
    ]);
  });
});

describe('GET /transactions/pending', () => {
  useCounting();

  interface Page {
    content: TransactionOut[];
    totalElements: number;
    [member: string]: unknown;
  }
  const list = ({ headers }: Side, query = '') =>
    server.call('GET', `/api/v1/transactions/pending${query}`, { headers });
  const page = async (side: Side, query = '') => (await list(side, query)).json<{ data: Page }>().data;

  let [acme, market]: [Side?, Side?] = [];
  const made: TransactionOut[] = [];
  const receiver = () => {
    if (market === undefined) throw new Error('the sides are made first');
    return market;
  };
  const refs = async (query: string) => (await page(receiver(), query)).content.map(({ reference }) => reference);

  beforeAll(async () => {
    acme = await newSide(server, 'Acme');
    market = await newSide(server, 'Market');
    for (const [reference, amount, narration] of [
      ['b', 30, 'Zebra'],
      ['A', 10, 'apple'],
      ['c', 10, undefined],
      ['B', 20, 'Apple'],
      ['a', 10, 'zebra'],
    ] as const) {
      made.push(await offer(server, acme, market, { reference, amount, narration }));
      server.clock.advance(10);
    }
  });

  it('shows what waits for the caller, newest first, as a page of Spring in the Envelope', async () => {
    const answer = await list(receiver());
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data, ...envelope } = answer.json();
    expect(envelope).toMatchObject({ success: true, errorCode: '', errors: [] });
    const sort = [
      { direction: 'DESC', nullHandling: 'NATIVE', ascending: false, property: 'createdAt', ignoreCase: false },
    ];
    expect(data).toEqual({
      totalPages: 1,
      totalElements: 5,
      size: 20,
      number: 0,
      numberOfElements: 5,
      first: true,
      last: true,
      empty: false,
      content: made.toReversed().map((one) => ({ ...one, webhooks: expect.any(Array) })),
      sort,
      pageable: { offset: 0, sort, pageNumber: 0, pageSize: 20, unpaged: false, paged: true },
    });
    for (const { id, webhooks } of data.content) {
      expect(webhooks).toMatchObject([
        { transactionId: id, direction: 'RECEIVER', eventType: 'TRANSACTION_INITIATED', status: 'PENDING' },
      ]);
    }
  });

  it.each([
    ['?sort=amount,desc&sort=createdAt', ['b', 'B', 'A', 'c', 'a']],
    ['?sort=amount,createdAt,desc', ['b', 'B', 'a', 'c', 'A']],
    ['?sort=reference', ['A', 'B', 'a', 'b', 'c']],
    ['?sort=reference,ignorecase&sort=amount', ['A', 'a', 'B', 'b', 'c']],
    ['?sort=reference,desc', ['c', 'b', 'a', 'B', 'A']],
    ['?sort=narration,ignorecase&sort=createdAt', ['A', 'B', 'b', 'a', 'c']],
    ['?sort=amount,ignorecase&sort=createdAt', ['A', 'c', 'a', 'B', 'b']],
    ['?sort=status', ['b', 'A', 'c', 'B', 'a']],
    ['?sort=senderAppName,desc', ['a', 'B', 'c', 'A', 'b']],
    ['?sort=,desc', ['a', 'B', 'c', 'A', 'b']],
  ])('%s gives %j', async (query, references) => {
    expect(await refs(query)).toEqual(references);
  });

  it('returns every transaction on exactly one page, for any sort order', async () => {
    const { content: whole } = await page(receiver(), '?sort=amount');
    for (const property of Object.keys(whole[0] ?? {}).filter((name) => name !== 'webhooks')) {
      const pages = await Promise.all([0, 1, 2].map((number) => refs(`?size=2&page=${number}&sort=${property}`)));
      expect(pages.map((one) => one.length)).toEqual([2, 2, 1]);
      expect(new Set(pages.flat()).size).toBe(5);
    }
  });

  it.each([
    ['?page=2&size=2', { number: 2, numberOfElements: 1, last: true, first: false, totalPages: 3, empty: false }],
    ['?page=9&size=2', { number: 9, numberOfElements: 0, last: true, first: false, totalPages: 3, empty: true }],
    ['?page=2147483648', { number: 2147483647, totalElements: 5, empty: true, content: [] }],
    ['?page=2147483647&size=2000', { number: 2147483647, totalElements: 5, empty: true, content: [] }],
    ['?page=-1&size=0', { number: 0, size: 20, totalElements: 5 }],
    ['?page=x&size=9999', { number: 0, size: 2000, totalElements: 5 }],
  ])('%s', async (query, expected) => {
    expect(await page(receiver(), query)).toMatchObject({ totalElements: 5, ...expected });
  });

  it('leaves out what the caller sends, what is decided, and what is overdue', async () => {
    const [one, other] = [await newSide(server), await newSide(server)];
    const waiting = await offer(server, one, other);
    for (const verb of ['accept', 'reject', 'cancel'] as const) {
      const { id } = await offer(server, one, other);
      await decide(server, verb === 'cancel' ? one : other, id, verb);
    }
    await shortOffer(server, one, other);
    expect((await page(other)).totalElements).toBe(2);
    server.clock.advance(SHORT_MS);
    expect(await page(other)).toMatchObject({ totalElements: 1, content: [{ id: waiting.id }] });
    expect(await page(one)).toMatchObject({ totalElements: 0, totalPages: 0, content: [], empty: true });
  });

  it('asks the database as often for five transactions and their webhook records as for one', async () => {
    server.clock.stop(); // what is read anew each second is read once, however slow the machine
    const asksFor = async (size: number) => {
      await page(receiver(), `?size=${size}`);
      const { statements, result } = await countedIn(() => page(receiver(), `?size=${size}`));
      expect(result.content).toHaveLength(size);
      return statements.length;
    };
    const forOne = await asksFor(1);
    expect(forOne).toBeGreaterThan(0);
    expect(await asksFor(5)).toBe(forOne);
  });

  it.each(['?sort=nothing', '?sort=id;drop', '?sort=id;drop%20table%20x', '?sort=amount,up', '?sort=webhooks'])(
    '400: %s names the properties there are',
    async (query) => {
      const answer = await list(await newSide(server), query);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ success: false, data: null, errorCode: 'INVALID_PARAMETER' });
      expect(answer.json().errors[0]).toMatch(/^sort: must be of id, reference, senderTag, .*, fee$/);
    },
  );

  it('400: a query of any length is answered', async () => {
    const side = await newSide(server);
    const properties = Array.from({ length: 1500 }, (_, at) => ['amount', 'fee', 'id'][at % 3]);
    expect((await list(side, `?sort=${properties.join()}`)).statusCode).toBe(200);
  });
});

describe('GET /wallet', () => {
  const walletOf = (headers: Record<string, string>, query = '') =>
    server.call('GET', `/api/v1/wallet${query}`, { headers });

  it('shows the naira wallet in the Envelope, with the test money of the sandbox', async () => {
    const { headers } = await newApplication(server);
    const answer = await walletOf(headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
      data: {
        id: expect.any(Number),
        currency: 'NGN',
        totalAmount: 1_000_000,
        suspendedAmount: 0,
        blockedAmount: 0,
        availableAmount: 1_000_000,
        amount: 1_000_000,
        status: 'Enabled',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    expect((await walletOf(headers, '?currency=NGN')).json()).toMatchObject({ data: answer.json().data });
  });

  it('shows the wallet in points, which starts empty', async () => {
    const { headers } = await newApplication(server);
    expect((await walletOf(headers, '?currency=FP')).json()).toMatchObject({
      data: { currency: 'FP', totalAmount: 0 },
    });
  });

  it('shows each application its own', async () => {
    const [one, other] = [await newApplication(server), await newApplication(server)];
    const ids = await Promise.all([one, other].map(async ({ headers }) => (await walletOf(headers)).json().data.id));
    expect(ids[0]).not.toBe(ids[1]);
  });

  describe('200 of naira', () => {
    it.each(['', '?currency=', '?currency=%20', '?currency=%20NGN%20'])('%j', async (query) => {
      const { headers } = await newApplication(server);
      expect((await walletOf(headers, query)).json()).toMatchObject({ data: { currency: 'NGN' } });
    });
  });
});
