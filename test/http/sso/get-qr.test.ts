import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { readQr } from '../../support/qr.ts';
import { type LoggedIn, loggedIn } from '../../support/wallets.ts';

const PUBLIC_URL = 'https://pay.example.com';
const server = useApp({ PUBLIC_URL });
const qrOf = ({ headers }: Pick<LoggedIn, 'headers'>, accept?: string) =>
  server.call('GET', '/v2/sso/qr', { headers: { ...headers, ...(accept === undefined ? {} : { accept }) } });

describe('200', () => {
  it('a PNG in base64 whose code is the page of the PayTag, and that page opens', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const answer = await qrOf(ada);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' });
    expect(answer.body).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    const link = readQr(answer.body) ?? '';
    expect(link).toBe(`${PUBLIC_URL}/p/${ada.paytag}`);
    const opened = await server.call('GET', link.slice(PUBLIC_URL.length));
    expect(opened.statusCode).toBe(200);
    expect(opened.body).toContain(`@${ada.paytag}`);
  });

  it('a JSON string for a client that accepts only JSON, plain text for any other', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const plain = (await qrOf(ada)).body;
    const json = [
      'application/json',
      'application/*;q=0.5',
      'Application/JSON, text/plain;q=0',
      'application/json, image/png',
    ];
    for (const accept of json) {
      const answer = await qrOf(ada, accept);
      expect(answer.headers).toMatchObject({ vary: 'Accept', 'content-type': 'application/json; charset=utf-8' });
      expect(answer.json()).toBe(plain);
    }
    const text = [
      '*/*',
      'text/plain',
      'application/json, text/plain, */*',
      'application/json;q=0, text/*',
      'image/png',
      '',
    ];
    for (const accept of text) {
      const answer = await qrOf(ada, accept);
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(answer.body).toBe(plain);
    }
  });
});

it('401: asks for the customer’s token', async () => {
  const { headers } = await server.newPartner();
  expect((await qrOf({ headers })).json().errorCode).toBe('INVALID_CUSTOMER_TOKEN');
});

it('404: a PayTag that is closed during the request has no code', async () => {
  const ada = await loggedIn(server, await server.newPartner());
  const close = `update tags.tag set status = 'CLOSED', closed_at = now() where handle = $1`;
  await server.owner.query(close, [ada.paytag]);
  const answer = await qrOf(ada);
  expect(answer.statusCode).toBe(404);
  expect(answer.json().errorCode).toBe('PAYTAG_NOT_FOUND');
});
