import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLanguages } from '../../../src/routes/pages/texts.ts';
import { useApp, useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { zumaEnv } from '../../support/brand/brand.ts';
import { customerWithPendingClaim, pathOf, postForm, sealOf, waitingLink } from '../../support/consent-page.ts';
import { readQr } from '../../support/emv.ts';
import { createTag, moveTag, newSubject, newTag } from '../../support/tags.ts';
import { pseudoLanguage } from '../../support/texts.ts';
import { liveEnv } from '../../support/variables.ts';

describe('GET /', () => {
  const server = useApp({ PUBLIC_URL: 'https://pay.example.com' });

  it('a browser reads what this is, which environment, and where to go', async () => {
    const answer = await server.call('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const banner = 'This is a sandbox: nothing here is real money. Where a one-time code is asked for, it is 123456.';
    expect(answer.body).toContain(banner);
    for (const [, link] of answer.body.matchAll(/href="([^"]+)"/g)) {
      expect([link, (await server.call('GET', String(link))).statusCode]).toEqual([link, 200]);
    }
  });

  it('a program gets the same as JSON, with addresses that answer', async () => {
    const answer = await server.call('GET', '/', { headers: { accept: 'application/json' } });
    const { documentation, openapi, oauth, ...rest } = answer.json();
    expect(rest).toEqual({ name: 'PayTag', version: expect.stringMatching(/^\d+\.\d+\.\d+/), environment: 'sandbox' });
    for (const address of [documentation, openapi.partner, openapi.switch, oauth]) {
      const { origin, pathname } = new URL(address);
      expect(origin).toBe('https://pay.example.com');
      expect([address, (await server.call('GET', pathname)).statusCode]).toEqual([address, 200]);
    }
    expect(answer.headers['vary']).toBe('Accept');
  });
});

describe('GET /p/{paytag}', () => {
  const server = useApp({ PUBLIC_URL: 'https://pay.example.com', RATE_LIMIT_RESOLVES_PER_S: '100' });
  const open = (tag: string, accept = 'application/json') => server.call('GET', `/p/${tag}`, { headers: { accept } });

  it('whose it is, how to pay, and a code that opens the same page; a page for whatever asks', async () => {
    const application = await newApplication(server, 'Shop');
    const subjectId = await newSubject(server, application, { displayName: 'Ada O’Obi' });
    await createTag(server, application, { tagString: 'ada.shop', subjectId });
    for (const accept of ['application/json', 'text/html', 'image/png']) {
      const answer = await open('ada.shop', accept);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
      expect(answer.body).toContain('Pay <bdi>Ada O’Obi</bdi>');
      expect(answer.body).toContain('@ada.shop');
      expect(answer.body).toContain('Shop');
    }
    const picture = await open('ada.shop/qr.png');
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="ada.shop.png"',
    });
    expect(readQr(picture.rawPayload.toString('base64'))).toBe('https://pay.example.com/p/ada.shop');
  });

  it('shows what the public may see of a tag, and no more', async () => {
    const application = await newApplication(server, 'Shop');
    const given = { externalId: 'number-77', email: 'ada@example.com', metadata: { note: 'kept quiet' } };
    await createTag(server, application, {
      tagString: 'ada.quiet',
      subjectId: await newSubject(server, application, given),
    });
    const { body } = await open('ada.quiet');
    for (const secret of ['number-77', 'ada@example.com', 'kept quiet']) expect(body).not.toContain(secret);
  });

  it('says nothing of the owner of a suspended tag', async () => {
    const application = await newApplication(server, 'Hidden shop');
    const tag = await newTag(server, application);
    await moveTag(server, tag, 'suspend');
    const { statusCode, body } = await open(tag);
    expect(statusCode).toBe(200);
    expect(body).toContain('This PayTag cannot be paid now');
    expect(body).not.toContain('Hidden shop');
    expect((await open(`${tag}/qr.png`)).statusCode).toBe(404);
  });

  it('404, as a page, for a tag that nobody has, and for what is no tag', async () => {
    for (const tag of ['nobody-here', '%3Cscript%3E', 'nobody-here/qr.png']) {
      const answer = await open(tag);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toContain('This PayTag does not exist');
      expect(answer.body).not.toContain('<script');
    }
  });

  it('429, as a page, for an address that looks up too many', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => open(at % 2 === 0 ? `guess-${at}` : `guess-${at}/qr.png`)),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(body).toContain('One moment, please');
    }
  });
});

describe('languages', () => {
  const server = useSharedApp();
  const folder = mkdtempSync(join(tmpdir(), 'languages-'));

  beforeAll(() => {
    const { 'pay.how': _, ...texts } = pseudoLanguage();
    writeFileSync(join(folder, 'ar-XB.json'), JSON.stringify(texts)); // read from the right
    for (const [tag, read] of readLanguages(pathToFileURL(`${folder}/`))) server.app.languages.set(tag, read);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const open = (path: string, language: string) =>
    server.call('GET', path, { headers: { accept: 'text/html', 'accept-language': language } });

  /** The letters between the tags of a page that stand in no brackets, with what people named left out. */
  const notTranslated = (page: string): string[] =>
    page
      .replace(/<(style|bdi|time|small)[^>]*>[\s\S]*?<\/\1>/g, '')
      .replaceAll(/<[^>]*>/g, '\n')
      .replaceAll(/⟦[^⟧]*⟧/g, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /\p{Letter}/u.test(line));

  describe('the file of another language, and nothing else, makes', () => {
    it.each([
      ['the front page', async () => '/', []],
      ['the page of a PayTag', async () => `/p/${(await customerWithPendingClaim(server)).tag}`, ['How to pay']],
      ['an unknown PayTag', async () => '/p/nobody-here', []],
      ['a consent request', async () => pathOf((await customerWithPendingClaim(server)).claim), []],
      ['a code asked for', async () => `${pathOf((await customerWithPendingClaim(server)).claim)}?with=code`, []],
      ['a link', async () => pathOf(await waitingLink(server)), []],
      ['an unknown request', async () => '/api/v1/consent/x', []],
      ['an unknown statement', async () => '/statements/x', []],
    ])('%s speak it, but for what it lacks', async (_what, make, missing) => {
      const { body, headers } = await open(await make(), 'ar-XB, en;q=0.5');
      expect(notTranslated(body)).toEqual([expect.stringMatching(/ – PayTag$|^– PayTag$/), 'PayTag', ...missing]);
      expect(body).toContain('<html lang="ar-XB" dir="rtl">');
      expect(headers['vary']).toMatch(/accept-language/);
    });

    it('a refusal of a form speak it', async () => {
      const { claim } = await customerWithPendingClaim(server);
      const fields = {
        form: await sealOf(server, claim),
        by: 'password',
        paytag: 'x',
        password: 'wrong',
        answer: 'approve',
      };
      const { body } = await postForm(server, pathOf(claim), fields, {
        'sec-fetch-site': 'same-origin',
        origin: 'null',
        'accept-language': 'ar',
      });
      expect(body).toContain('⟦That PayTag and password do not match⟧');
      expect(body.includes('⟦4 attempts are left.⟧')).toBe(true);
    });
  });

  it('another language than ours gets English', async () => {
    expect((await open('/', 'yo')).body).toContain('<html lang="en-NG" dir="ltr">');
  });
});

describe('the page of a refusal', () => {
  const server = useApp(zumaEnv);
  const live = useApp({ ...liveEnv, OPERATOR_PORT: '9465' });
  /** As Chromium sends it. */
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
  const asked = async (
    path: string,
    { method = 'GET', accept = BROWSER }: { method?: 'GET' | 'POST'; accept?: string } = {},
  ) => server.app.inject({ method, url: path, headers: { accept } });
  const titleOf = (body: string) => /<h1>(.*?)<\/h1>/.exec(body)?.[1];

  describe('a browser', () => {
    it.each([
      ['GET', '/nothing', 404, 'There is no such page'],
      ['GET', '/nothing/at/all?x=<script>', 404, 'There is no such page'],
      ['GET', '/docs/nothing', 404, 'There is no such page'],
      ['GET', '/docs/reference/nothing', 400, 'We could not read that'],
      ['GET', '/p', 404, 'There is no such page'],
      ['GET', '/statements', 404, 'There is no such page'],
      ['GET', '/%zz', 400, 'We could not read that'],
      ['POST', '/', 405, 'This page takes nothing that is sent to it'],
      ['POST', '/p/ada', 405, 'This page takes nothing that is sent to it'],
    ] as const)('%s %s reads a page, with status %i', async (method, path, status, title) => {
      const answer = await asked(path, { method });
      expect([answer.statusCode, titleOf(answer.body)]).toEqual([status, title]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-request-id': expect.any(String),
        vary: expect.stringContaining('accept'),
      });
      expect(answer.body).toContain('alt="Zuma');
      expect(answer.body).not.toContain('<script');
      expect(answer.headers.allow).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
    });

    it('reads by what we find in our log that the server does not answer, and how long to wait', async () => {
      const answer = await live.app.inject({ url: '/', headers: { accept: BROWSER, 'x-forwarded-for': '192.0.2.7' } });
      expect([answer.statusCode, titleOf(answer.body)]).toEqual([503, 'One moment, please']);
      expect(answer.headers['retry-after']).toBe('60');
      expect(answer.body).toContain(String(answer.headers['x-request-id']));
    });
  });

  describe('JSON', () => {
    it.each([
      '/v2/nothing',
      '/api',
      '/api/v1/nothing',
      '/operator/v1/nothing',
      '/.well-known/nothing',
      '/health/nothing',
    ])('is what %s answers, whoever asks', async (path) => {
      const answer = await asked(path);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ success: false, errorCode: 'ROUTE_NOT_FOUND' });
    });

    it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/avif,*/*;q=0.8'])(
      'is what an unknown path answers to who accepts %s',
      async (accept) => {
        const answer = await asked('/nothing', { accept });
        expect(answer.statusCode).toBe(404);
        expect(answer.json()).toMatchObject({ success: false, errorCode: 'ROUTE_NOT_FOUND' });
      },
    );
  });
});
