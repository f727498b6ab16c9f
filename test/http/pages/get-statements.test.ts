import { describe, expect, it } from 'vitest';
import { openStatement } from '#modules/statements';
import { useApp } from '../../support/app.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example.com' });
const MINUTE_MS = 60_000;

/** The path of a new link. */
async function newLink(format = 'pdf'): Promise<string> {
  const { headers } = await loggedIn(server, await server.newPartner({ float: 100 }), 50);
  const answer = await server.call('POST', `/v2/sso/transaction/statement?format=${format}`, { headers });
  return new URL(answer.json<{ url: string }>().url).pathname;
}

describe('200', () => {
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
});

it('404: a link that we did not make, or that was changed', async () => {
  const link = await newLink();
  for (const path of [`${link}A`, link.slice(0, -1), link.replace('.', ''), '/statements/x', `${link}%00`]) {
    const answer = await server.call('GET', path);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().errorCode).toBe('STATEMENT_NOT_FOUND');
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

it('410: fifteen minutes later', async () => {
  const link = await newLink();
  server.clock.advance(14 * MINUTE_MS);
  expect((await server.call('GET', link)).statusCode).toBe(200);
  server.clock.advance(MINUTE_MS);
  const answer = await server.call('GET', link);
  expect(answer.statusCode).toBe(410);
  expect(answer.json().errorCode).toBe('STATEMENT_LINK_EXPIRED');
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
  const answer = await server.call('GET', link);
  expect(answer.statusCode).toBe(500);
  expect(answer.json().errorCode).toBe('INTERNAL_ERROR');
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
