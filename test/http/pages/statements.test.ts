import { describe, expect, it } from 'vitest';
import { openStatement } from '#modules/statements';
import { useApp } from '../../support/app.ts';
import { refusalOf } from '../../support/refusals.ts';
import { loggedIn } from '../../support/wallets.ts';

describe('GET /statements/{token}', () => {
  const server = useApp({ PUBLIC_URL: 'https://pay.example.com' });
  const MINUTE_MS = 60_000;

  /** The path of a new link. */
  async function newLink(format = 'pdf'): Promise<string> {
    const { headers } = await loggedIn(server, await server.newPartner({ float: 100 }), 50);
    const answer = await server.call('POST', `/v2/sso/transaction/statement?format=${format}`, { headers });
    return new URL(answer.json<{ url: string }>().url).pathname;
  }

  it.each([
    ['pdf', 'application/pdf', '%PDF-1.7'],
    ['csv', 'text/csv; charset=utf-8; header=present', '\uFEFFDate,Description'],
    ['html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
  ])('a document in %s, for its reader’s eyes alone', async (format, type, beginning) => {
    const answer = await server.call('GET', await newLink(format));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(
        new RegExp(`^inline; filename="statement-\\d{10}-\\d{4}-\\d\\d-\\d\\d-to-\\d{4}-\\d\\d-\\d\\d\\.${format}"$`),
      ),
    });
    expect(answer.body.startsWith(beginning)).toBe(true);
  });

  it('a page may load nothing but its inline style', async () => {
    const { headers } = await server.call('GET', await newLink('html'));
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  });

  it('as often as it is followed, until it expires, and the token is in no log line', async () => {
    const link = await newLink();
    const first = await server.call('GET', link);
    const second = await server.call('GET', link);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(server.logged).toContain('"route":"/statements/:token"');
    expect(server.logged).not.toContain(link.slice('/statements/'.length));
  });

  it('404: a link that we did not make, or that was changed', async () => {
    const link = await newLink();
    for (const path of [`${link}A`, link.slice(0, -1), link.replace('.', ''), '/statements/x', `${link}%00`]) {
      const answer = await server.call('GET', path);
      expect(refusalOf(answer)).toEqual([404, 'STATEMENT_NOT_FOUND']);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('410: fifteen minutes later', async () => {
    const link = await newLink();
    server.clock.advance(14 * MINUTE_MS);
    expect((await server.call('GET', link)).statusCode).toBe(200);
    server.clock.advance(MINUTE_MS);
    expect(refusalOf(await server.call('GET', link))).toEqual([410, 'STATEMENT_LINK_EXPIRED']);
  });

  it('404 and 410 are a readable page for a browser, uncached and unframed', async () => {
    const link = await newLink();
    const open = (path: string) => server.call('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });
    const unknown = await open('/statements/x');
    server.clock.advance(15 * MINUTE_MS);
    const late = await open(link);
    expect([unknown.statusCode, late.statusCode]).toEqual([404, 410]);
    expect(unknown.body).toContain('We do not know this link');
    expect(late.body).toContain('This link has expired');
    for (const { headers } of [unknown, late]) {
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
    }
  });

  it('500: the books do not tie, and nothing of the statement is shown', async () => {
    const link = await newLink();
    const { owner: pool } = server;
    await pool.query(`begin; set local session_replication_role = replica;
    update ledger.entry set closing = closing + 1, opening = opening + 1; commit`);
    expect(refusalOf(await server.call('GET', link))).toEqual([500, 'INTERNAL_ERROR']);
    await pool.query(`begin; set local session_replication_role = replica;
    update ledger.entry set closing = closing - 1, opening = opening - 1; commit`);
  });

  it('503: while too many are being written; a reader that goes away gives its place back', async () => {
    const link = await newLink();
    const others = await Promise.all(Array.from({ length: 4 }, () => newLink()));
    const tokens = [...others, ...others].map((other) => other.slice('/statements/'.length));
    const open = await Promise.all(tokens.map((token) => openStatement(server.resources, token)));
    const answer = await server.call('GET', link);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.json().errorCode).toBe('BUSY');
    expect(server.logged.split('\n').filter((line) => line.includes('"BUSY"') && line.includes('"stack"'))).toEqual([]);
    for (const { body } of open) body.destroy();
    await Promise.all(open.map(({ body }) => new Promise((resolve) => body.once('close', resolve))));
    expect((await server.call('GET', link)).statusCode).toBe(200);
  });
});

describe('GET /statement/verify', () => {
  const server = useApp({ PUBLIC_URL: 'https://pay.example.com' });
  let address = 0;
  /** Asks from an address of its own, whose wrong codes are counted apart. */
  const verify = (code: string, remoteAddress = `203.0.113.${++address}`) =>
    server.call('GET', `/statement/verify?code=${encodeURIComponent(code)}`, { remoteAddress });

  /** A customer's statement as HTML, its code and its figures. */
  async function statement(days = '') {
    const { headers } = await loggedIn(server, await server.newPartner({ float: 10_000 }), 4_321.5);
    const link = async (format: string) => {
      const asked = await server.call('POST', `/v2/sso/transaction/statement?format=${format}${days}`, { headers });
      return new URL(asked.json<{ url: string }>().url).pathname;
    };
    return { headers, link, open: async (path: string) => (await server.call('GET', path)).body };
  }
  const codeIn = (document: string) => /[\dA-HJKMNP-TV-Z]{4}(?:-[\dA-HJKMNP-TV-Z]{4}){4}/.exec(document)?.[0] ?? '';
  const figuresIn = (html: string) => [...html.matchAll(/<dd>(₦[\d,.]+)/g)].map(([, figure]) => figure);
  const shownOn = (page: string) => [...page.matchAll(/(₦[\d,.]+)/g)].map(([, figure]) => figure);

  describe('the code of a paper', () => {
    it('shows what we wrote on it: first letters, last digits, period, balances and when; not the name or the number', async () => {
      const { link, open } = await statement();
      const paper = await open(await link('html'));
      const { statusCode, body, headers } = await verify(codeIn(paper));
      expect(statusCode).toBe(200);
      expect(body).toContain('A statement with this code is ours');
      expect(shownOn(body)).toEqual(figuresIn(paper));
      const [, holder = ''] = /<h2>([^<]+)<\/h2>/.exec(paper) ?? [];
      const [, nuban = ''] = /<dd>(\d{10})<\/dd>/.exec(paper) ?? [];
      expect(holder).toMatch(/\w+ \w+/);
      expect(body).toContain(holder.replaceAll(/(\S)\S*/g, '$1***'));
      expect(body).toContain(`ends with ${nuban.slice(-4)}`);
      for (const secret of [holder, nuban]) expect(body).not.toContain(secret);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    });

    it('gives an altered paper away: its figures are not what is shown, and no code of ours is made for them', async () => {
      const { link, open } = await statement();
      const paper = await open(await link('html'));
      const altered = paper.replaceAll('4,321.50', '94,321.50');
      const { body } = await verify(codeIn(altered));
      expect(figuresIn(altered)).toContain('₦94,321.50');
      expect(shownOn(body)).not.toEqual(figuresIn(altered));
      expect(shownOn(body)).not.toContain('₦94,321.50');
    });

    it('is the same in every format and whenever the link is followed, and printed with a link that asks with it', async () => {
      const { link, open } = await statement(`&to=${new Date(Date.now() - 1).toISOString()}&from=2026-01-01`);
      const html = await link('html');
      const first = await open(html);
      server.clock.advance(60_000);
      const later = await open(html);
      expect(later).toBe(first);
      expect(codeIn(await open(await link('csv')))).toBe(codeIn(first));
      expect(first).toContain(`href="https://pay.example.com/statement/verify?code=${codeIn(first)}"`);
      const { rows } = await server.owner.query('select * from statements.paper order by id desc limit 2');
      expect(rows[0].code_digest).not.toEqual(rows[1].code_digest);
      expect(JSON.stringify(rows)).not.toContain(codeIn(first));
    });

    it('is read as people type it', async () => {
      const { link, open } = await statement();
      const code = codeIn(await open(await link('csv')));
      const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
      expect((await verify(typed)).statusCode).toBe(200);
    });
  });

  describe('a code that is on no paper of ours', () => {
    it.each(['7K3M-9QXT-04WE-B2ZC-H5NA', 'x', '<script>', '0'.repeat(200)])('%j says no', async (code) => {
      const { statusCode, body } = await verify(code);
      expect(statusCode).toBe(404);
      expect(body).toContain('No statement of ours has this code');
      expect(body).not.toContain('<script');
    });

    it('is asked thirty times from an address in an hour, and then no code is read from there', async () => {
      const { link, open } = await statement();
      const code = codeIn(await open(await link('html')));
      const guess = () => verify('7K3M-9QXT-04WE-B2ZC-H5NA', '198.51.100.7');
      const wrong = await Promise.all(Array.from({ length: 30 }, guess));
      expect(new Set(wrong.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
      const refused = await verify(code, '198.51.100.7');
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.body).toContain('Too many attempts for now');
      expect((await verify(code, '198.51.100.8')).statusCode).toBe(200);
    });
  });

  it('without a code asks for it', async () => {
    const { statusCode, body } = await server.call('GET', '/statement/verify');
    expect(statusCode).toBe(200);
    expect(body).toContain('<form method="get" action="/statement/verify">');
  });

  it('a statement of a sandbox says TEST in every format', async () => {
    const { link, open } = await statement();
    for (const format of ['html', 'csv']) expect(await open(await link(format))).toContain('TEST: made in a sandbox');
  });
});
