import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { fundedWallet, kycWallet, loggedIn, moveMoney } from '../../support/wallets.ts';

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
