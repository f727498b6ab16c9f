import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLanguages } from '../../../src/routes/pages/languages.ts';
import { useSharedApp } from '../../support/app.ts';
import { customerWithPendingClaim, pathOf, postForm, sealOf, waitingLink } from '../../support/consent-page.ts';
import { pseudoLanguage } from '../../support/pseudo-language.ts';

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
