import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';

const server = useApp();
const COUNTED = 10_000;

/** A partner with so many deliveries of one event, the first of them of a rare one that failed. */
async function partnerWith(count: number): Promise<TestPartner> {
  const partner = await server.newPartner();
  await server.owner.query(
    `select outbox.emit($1, case when n = 1 then 'transaction.status' else 'wallet.credited' end, n::text, '{}')
       from generate_series(1, $2::int) n`,
    [partner.id, count],
  );
  await server.owner.query(
    `update webhooks.delivery d set status = 'FAILED', attempts = 1, last_attempt_at = now(), due_at = now(), last_error = 'timeout'
      from outbox.event e join outbox.receiver r on r.id = e.receiver_id
      where e.id = d.event_id and e.event = 'transaction.status' and r.owner_id = $1`,
    [partner.id],
  );
  return partner;
}

const list = async (partner: TestPartner, query = '') => {
  const answer = await server.call('GET', `/v2/partner/webhook/deliveries${query}`, { headers: partner.headers });
  return { status: answer.statusCode, ...answer.json() };
};

describe('a list of ten thousand, and of one more', () => {
  let [exact, more]: TestPartner[] = [];
  beforeAll(async () => {
    [exact, more] = [await partnerWith(COUNTED), await partnerWith(COUNTED + 1)];
    await server.owner.query('analyze webhooks.delivery, outbox.event, outbox.receiver');
  });
  const both = () => ({ exact: exact as TestPartner, more: more as TestPartner });

  it('is counted exactly up to ten thousand, and estimated above, and says so', async () => {
    const { exact: ten, more: eleven } = both();
    for (const query of ['', '?offset=1', '?limit=0']) {
      const page = await list(ten, query);
      expect(page.count).toBe(COUNTED);
      expect(page).not.toHaveProperty('countIsExact');
      const long = await list(eleven, query);
      expect(long).toMatchObject({ status: 200, countIsExact: false });
      expect(long.count).toBeGreaterThan(COUNTED * 0.8);
    }
    expect((await list(ten, '?event=wallet.credited')).count).toBe(COUNTED - 1);
    const filtered = await list(eleven, '?event=wallet.credited&limit=2');
    expect(filtered).toMatchObject({ countIsExact: false, items: { length: 2 } });
  });

  it('has pages by offset up to ten thousand; beyond, an empty one where the list has ended, or else it says to take the cursor', async () => {
    const { exact: ten, more: eleven } = both();
    expect(await list(ten, `?offset=${COUNTED + 1}`)).toMatchObject({ status: 200, items: [], count: COUNTED });
    expect(await list(eleven, `?offset=${COUNTED}`)).toMatchObject({ items: [{ event: 'transaction.status' }] });
    expect(await list(eleven, `?offset=${COUNTED + 1}`)).toMatchObject({
      status: 400,
      errorCode: 'INVALID_PARAMETER',
      errors: [expect.stringContaining('offset: ')],
    });
  });

  it('finds the failed ones at once, however many have arrived since', async () => {
    const { more: eleven } = both();
    for (const query of ['?status=FAILED', '?status=FAILED&error=timeout', '?status=FAILED&event=transaction.status']) {
      const page = await list(eleven, query);
      expect(page).toMatchObject({ count: 1, items: [{ event: 'transaction.status' }] });
      expect(page).not.toHaveProperty('countIsExact');
    }
    expect((await server.operate('GET', '/deliveries?status=FAILED&limit=1')).json()).toMatchObject({
      count: 2,
      items: [{ ownerId: eleven.id }],
    });
  });

  it('tells how many deliveries wait, estimated above ten thousand', async () => {
    const { exact: ten, more: eleven } = both();
    const webhook = async ({ headers }: TestPartner) =>
      (await server.call('GET', '/v2/partner/webhook', { headers })).json();
    expect((await webhook(ten)).pending).toBe(COUNTED - 1);
    expect((await webhook(eleven)).pending).toBe(COUNTED);
    await server.owner.query(`select outbox.emit($1, 'wallet.credited', 'last', '{}')`, [eleven.id]);
    expect(await webhook(eleven)).toMatchObject({ pendingIsExact: false });
  });

  it('finds what matches behind more rows than a page looks at, from cursor to cursor', async () => {
    const { more: eleven } = both();
    await server.owner.query(
      `select outbox.emit($1, 'wallet.credited', n::text, '{}') from generate_series(1, 500) n`,
      [eleven.id],
    );
    const first = await list(eleven, '?event=transaction.status');
    expect(first).toMatchObject({ items: [], countIsExact: false, nextCursor: expect.any(String) });
    const second = await list(eleven, `?event=transaction.status&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ items: [{ event: 'transaction.status', status: 'FAILED' }] });
    expect(second).not.toHaveProperty('nextCursor');
  });
});
