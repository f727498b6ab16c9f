import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { holdTable } from '../../faults/kill-postgres.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { fundedWallet, kycWallet, loggedIn, moveMoney } from '../../support/wallets.ts';

describe('cursors', () => {
  const server = useApp();

  interface Page {
    items: Record<string, unknown>[];
    nextCursor?: string;
  }

  const page = async (path: string, headers: Record<string, string>): Promise<Page> => {
    const answer = await server.call('GET', path, { headers });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };

  /** Every item of a list, page by page; `between` runs after each page. */
  async function walk(
    path: string,
    headers: Record<string, string>,
    { limit, between }: { limit: number; between?: (() => Promise<unknown>) | undefined },
  ): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    for (let cursor: string | undefined; ; ) {
      const at = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
      const { items, nextCursor } = await page(cursor === undefined ? at : `${at}&cursor=${cursor}`, headers);
      expect(items.length).toBeLessThanOrEqual(limit);
      found.push(...items);
      if (nextCursor === undefined) return found;
      await between?.();
      cursor = nextCursor;
    }
  }

  const emitTo = async ({ id }: TestPartner, count: number) =>
    server.owner.query(`select outbox.emit($1, 'wallet.credited', n::text, '{}') from generate_series(1, $2::int) n`, [
      id,
      count,
    ]);

  describe('a cursor', () => {
    it('leads through a list with no item twice and none missed, whatever arrives meanwhile', async () => {
      const one = {
        limit: fc.integer({ min: 1, max: 9 }),
        at: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 }),
      };
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 30 }), one.limit, one.at, async (count, limit, arrivals) => {
          const partner = await server.newPartner();
          if (count > 0) await emitTo(partner, count);
          const { rows } = await server.owner.query<{ id: string }>(
            `select d.id from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id
            where r.owner_id = $1 order by d.id desc`,
            [partner.id],
          );
          const rest = [...arrivals];
          const between = async () => {
            const more = rest.shift() ?? 0;
            if (more > 0) await emitTo(partner, more);
          };
          const found = await walk('/v2/partner/webhook/deliveries', partner.headers, { limit, between });
          expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
        }),
        { numRuns: 12 },
      );
    });

    it('leads through wallets, histories, splits and what the operator lists as offsets do', async () => {
      const { partner, wallet } = await fundedWallet(server, 100);
      for (let n = 0; n < 4; n++) {
        await moveMoney(server, partner, wallet, 'debit', { amount: 1, reference: `d${n}` });
        await kycWallet(server, partner);
      }
      const terminal = await newTerminal(server, partner);
      for (const amount of [1, 2, 3, 4, 5]) await newSplit(server, terminal, amount);
      const own = { ...partner.headers, 'x-terminal': terminal };
      const operator = { authorization: `Bearer ${server.resources.operatorToken}` };
      const lists: [string, Record<string, string>][] = [
        ['/v2/partner/wallet', own],
        [`/v2/partner/wallet/${wallet}/history`, own],
        ['/v2/partner/terminal/splits', own],
        ['/v2/partner/webhook/deliveries?event=wallet.debited', own],
        [`/operator/v1/deliveries?partnerId=${partner.id}&from=2026-01-01T00:00:00Z`, operator],
        [`/operator/v1/wallets?partnerId=${partner.id}`, operator],
        [`/operator/v1/audit?target=${partner.id}`, operator],
        ['/operator/v1/audit?from=2026-01-01T00:00:00Z&to=2099-01-01T00:00:00Z', operator],
        ['/operator/v1/partners?status=ACTIVE', operator],
      ];
      for (const [path, headers] of lists) {
        const whole = await page(`${path}${path.includes('?') ? '&' : '?'}limit=100`, headers);
        expect(whole.items.length).toBeGreaterThan(1);
        expect(whole).not.toHaveProperty('nextCursor');
        expect(await walk(path, headers, { limit: 2 })).toEqual(whole.items);
      }
    });

    it('that no page of this list gave is 400 and named', async () => {
      const { partner } = await fundedWallet(server, 100);
      await kycWallet(server, partner);
      const { nextCursor } = await page('/v2/partner/wallet?limit=1', partner.headers);
      const cursors = [
        nextCursor ?? '',
        '1',
        'x'.repeat(201),
        Buffer.from('deliveries 7').toString('base64url'),
        Buffer.from("deliveries ' or 1=1").toString('base64url'),
        `${Buffer.from(`deliveries ${partner.id}`).toString('base64url')}A`,
      ];
      for (const cursor of cursors) {
        const answer = await server.call('GET', `/v2/partner/webhook/deliveries?cursor=${cursor}`, {
          headers: partner.headers,
        });
        expect(refusalOf(answer)).toEqual([400, 'INVALID_PARAMETER']);
        expect(answer.json().errors).toEqual([expect.stringContaining('cursor: ')]);
      }
    });

    it('of a moment that no row can have is 400', async () => {
      const { headers } = await loggedIn(server, await server.newPartner());
      const call = (ms: number) => {
        const cursor = Buffer.from(`beneficiaries ${ms} 00000000-0000-4000-8000-000000000000`).toString('base64url');
        return server.call('GET', `/v2/sso/beneficiary?cursor=${cursor}`, { headers });
      };
      const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
      expect((await call(last)).statusCode).toBe(200);
      for (const ms of [last + 1, 999_999_999_999_999]) {
        expect(refusalOf(await call(ms))).toEqual([400, 'INVALID_PARAMETER']);
      }
    });
  });
});

describe('long lists', () => {
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
      for (const query of [
        '?status=FAILED',
        '?status=FAILED&error=timeout',
        '?status=FAILED&event=transaction.status',
      ]) {
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
});

describe('a read that hangs', () => {
  const server = useApp();

  it('twenty lists of one partner that hang keep neither the money nor the lists of another waiting', async () => {
    const slow = await fundedWallet(server, 100);
    const terminal = await newTerminal(server, slow.partner);
    await newSplit(server, terminal, 10);
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'back' });

    const held = await holdTable(server.owner, 'terminals.split', 'access exclusive');
    const hung = Array.from({ length: 20 }, async () =>
      server.call('GET', '/v2/partner/terminal/splits', {
        headers: { ...slow.partner.headers, 'x-terminal': terminal },
      }),
    );
    try {
      await held.waitedForBy('terminals');
      for (let n = 0; n < 10; n++) {
        const credited = await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `c${n}` });
        expect(credited.statusCode).toBe(200);
        const { headers } = partner;
        for (const path of ['wallet', 'webhook', 'webhook/deliveries?event=wallet.credited']) {
          expect((await server.call('GET', `/v2/partner/${path}`, { headers })).statusCode).toBe(200);
        }
      }
      await eventually(async () => {
        const { rows } = await server.owner.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(1);
      });
    } finally {
      await held.release();
    }
    for (const answer of await Promise.all(hung)) expect(answer.json()).toMatchObject({ count: 1 });
  });
});
