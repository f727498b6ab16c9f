import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { countedIn, useCounting } from '../../support/count-statements.ts';
import { decide, newSide, offer, SHORT_MS, type Side, shortOffer, type TransactionOut } from '../../support/switch.ts';

useCounting();
const server = useApp();

interface Page {
  content: TransactionOut[];
  totalElements: number;
  [member: string]: unknown;
}
const list = ({ headers }: Side, query = '') => server.call('GET', `/api/v1/transactions/pending${query}`, { headers });
const page = async (side: Side, query = '') => (await list(side, query)).json<{ data: Page }>().data;

describe('200', () => {
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
    const asksFor = async (size: number) => {
      await page(receiver(), `?size=${size}`); // what is read once a second is read by this call
      const { statements, result } = await countedIn(() => page(receiver(), `?size=${size}`));
      expect(result.content).toHaveLength(size);
      return statements.length;
    };
    const forOne = await asksFor(1);
    expect(forOne).toBeGreaterThan(0);
    expect(await asksFor(5)).toBe(forOne);
  });
});

describe('400', () => {
  it.each(['?sort=nothing', '?sort=id;drop', '?sort=id;drop%20table%20x', '?sort=amount,up', '?sort=webhooks'])(
    '%s names the properties there are',
    async (query) => {
      const answer = await list(await newSide(server), query);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ success: false, data: null, errorCode: 'INVALID_PARAMETER' });
      expect(answer.json().errors[0]).toMatch(/^sort: must be of id, reference, senderTag, .*, fee$/);
    },
  );

  it('a query of any length is answered', async () => {
    const side = await newSide(server);
    const properties = Array.from({ length: 1500 }, (_, at) => ['amount', 'fee', 'id'][at % 3]);
    expect((await list(side, `?sort=${properties.join()}`)).statusCode).toBe(200);
  });
});
