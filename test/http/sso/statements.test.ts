import { describe, expect, it } from 'vitest';
import { prepareStatements } from '#modules/statements';
import { useApp } from '../../support/app.ts';
import { refusalOf } from '../../support/refusals.ts';
import { readPdf } from '../../support/statements.ts';
import { type LoggedIn, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';
import { withinOneDay } from './one-day.ts';

const PUBLIC_URL = 'https://pay.example.com';
const server = useApp({ PUBLIC_URL, FEE_TRANSFER: '10' });

describe('POST /sso/transaction/statement', () => {
  const ask = ({ headers }: Pick<LoggedIn, 'headers'>, query = '', more: Record<string, string> = {}) =>
    server.call('POST', `/v2/sso/transaction/statement${query}`, { headers: { ...headers, ...more } });
  /** What a link answers. */
  const follow = (url: string) => server.call('GET', url.slice(PUBLIC_URL.length));

  it('a link on PUBLIC_URL to a PDF of the last 30 days: only the customer’s own at this partner, without the BVN', async () => {
    const partner = await server.newPartner({ float: 5_000 });
    const [ada, bola] = [await loggedIn(server, partner, 2_000), await loggedIn(server, partner, 1)];
    await pay(server, ada, { paytag: bola.paytag, amount: 250.5, reference: 'rent', comment: 'for November' });
    await moveMoney(server, partner, ada.wallet, 'debit', { amount: 30, reference: 'fare' });

    const answer = await ask(ada);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { url } = answer.json<{ url: string }>();
    expect(url.startsWith(`${PUBLIC_URL}/statements/`)).toBe(true);
    const document = await follow(url);
    expect(document.statusCode).toBe(200);
    const { pages } = await readPdf(document.rawPayload);
    expect(pages).toHaveLength(1);
    const [page = ''] = pages;
    const totals = 'Opening balance ₦0.00 Total credits ₦2,000.00 Total debits ₦290.50 Closing balance ₦1,709.50';
    for (const text of [
      'Ada Obi',
      `@${ada.paytag}`,
      totals,
      `Transfer to Ada Obi (@${bola.paytag}) incl. fee 10.00 · for November`,
    ]) {
      expect(page).toContain(text);
    }
    expect(page).toMatch(/Debit by Partner \d+ fare 30\.00 1,709\.50/);
    for (const hidden of [ada.bvn, ada.phone, ada.email, ada.dateOfBirth]) expect(page).not.toContain(hidden);
  });

  it(
    'of the given days, in the given format',
    withinOneDay(async () => {
      const partner = await server.newPartner({ float: 100 });
      const ada = await loggedIn(server, partner, 40);
      const now = server.clock.now();
      const inLagos = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lagos' });
      const [yesterday, today] = [new Date(now.getTime() - 86_400_000), now].map((at) => inLagos.format(at));
      const read = async (query: string) => {
        const document = await follow((await ask(ada, query)).json<{ url: string }>().url);
        return [document.headers['content-type'], document.body] as const;
      };
      const [type, before] = await read(`?from=${yesterday}&to=${yesterday}&format=csv`);
      expect(type).toBe('text/csv; charset=utf-8; header=present');
      expect(before).not.toContain(`for-${ada.wallet}`);
      const [, since] = await read(`?from=${today}&format=csv`);
      expect(since).toContain(`for-${ada.wallet},,NGN,,40.00,0.00,40.00`);
      const [, moment] = await read(`?from=2026-01-01T00:00:00%2B01:00&to=2026-01-01T00:00:01Z&format=html`);
      expect(moment).toContain('There were no transactions in this period.');
    }),
  );

  it('404: there is no statement of a wallet that was revoked', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const { url } = (await ask(ada)).json<{ url: string }>();
    await server.owner.query('update wallets.partner_wallet set revoked_at = now() where reference = $1', [ada.wallet]);
    expect((await ask(ada)).json().errorCode).toBe('WALLET_NOT_FOUND');
    expect((await follow(url)).json().errorCode).toBe('WALLET_NOT_FOUND');
  });

  it('the same Idempotency-Key answers the same link again', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const key = { 'idempotency-key': 'statement-1' };
    const first = await ask(ada, '', key);
    const again = await ask(ada, '', key);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json()).toEqual(first.json());
  });

  const RESPOND_ASYNC = { prefer: 'wait=5, Respond-Async' };

  it('202: with Prefer: respond-async, the reference under which it is made ready', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const answer = await ask(ada, '', RESPOND_ASYNC);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ reference: expect.stringMatching(/^STM-[0-9a-f]{32}$/), status: 'Pending' });
    expect(answer.headers['preference-applied']).toBe('respond-async');
  });

  it('429: more than twenty in an hour for one wallet', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const answers = await Promise.all(Array.from({ length: 21 }, () => ask(ada, '', RESPOND_ASYNC)));
    expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(20);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('GET /sso/transaction/statement/{reference}', () => {
  const alone = useApp({ PUBLIC_URL });
  const read = ({ headers }: Pick<LoggedIn, 'headers'>, reference: string) =>
    alone.call('GET', `/v2/sso/transaction/statement/${reference}`, { headers });
  const request = ({ headers }: LoggedIn, query = '') =>
    alone.call('POST', `/v2/sso/transaction/statement${query}`, {
      headers: { ...headers, prefer: 'wait=5, Respond-Async' },
    });

  it('Pending until a worker made it ready, then with a link that answers it', async () => {
    const ada = await loggedIn(alone, await alone.newPartner({ float: 50 }), 50);
    const asked = await request(ada, '?format=csv');
    expect(asked.statusCode).toBe(202);
    expect(asked.headers['preference-applied']).toBe('respond-async');
    const { reference } = asked.json<{ reference: string }>();
    expect(asked.json()).toEqual({ reference, status: 'Pending' });
    expect(asked.headers['location']).toBe(`${PUBLIC_URL}/v2/sso/transaction/statement/${reference}`);

    const pending = (await read(ada, reference)).json();
    expect(pending).toMatchObject({ reference, status: 'Pending', format: 'csv' });
    expect(pending).not.toHaveProperty('url');
    await prepareStatements(alone.resources);
    const ready = await read(ada, reference);
    expect(ready.headers['cache-control']).toBe('no-store');
    const { status, url } = ready.json<{ status: string; url: string }>();
    expect(status).toBe('Ready');
    const document = await alone.call('GET', url.slice(PUBLIC_URL.length));
    expect(document.body).toContain('Closing balance,,,,NGN,,,,50.00');
  });

  it('404: unknown, another customer’s, and the customer’s own at another partner', async () => {
    const [first, second] = [await alone.newPartner(), await alone.newPartner()];
    const [ada, bola] = [await loggedIn(alone, first), await loggedIn(alone, first)];
    const { reference } = (await request(ada)).json<{ reference: string }>();
    const elsewhere = await logInAt(alone, second, ada);
    for (const [who, named] of [
      [ada, 'STM-0'],
      [bola, reference],
      [elsewhere, reference],
    ] as const) {
      expect(refusalOf(await read(who, named))).toEqual([404, 'STATEMENT_NOT_FOUND']);
    }
  });
});
