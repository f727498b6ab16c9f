import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { readQr } from '../../support/emv.ts';
import { createTag, moveTag, newSubject, newTag } from '../../support/tags.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example.com', RATE_LIMIT_RESOLVES_PER_S: '100' });
const open = (tag: string, accept = 'application/json') => server.call('GET', `/p/${tag}`, { headers: { accept } });

describe('200', () => {
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
});

it('404, as a page, for a tag that nobody has, and for what is no tag', async () => {
  for (const tag of ['nobody-here', '%3Cscript%3E', 'nobody-here/qr.png']) {
    const answer = await open(tag);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('Nobody has this PayTag');
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
