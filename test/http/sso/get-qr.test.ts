import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { readEmv, readObjects, readQr } from '../../support/emv.ts';
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

describe('with format=emv', () => {
  const scheme = useApp(
    { PUBLIC_URL, EMV_SCHEME_ID: 'ng.nqr.example', EMV_INSTITUTION_ID: '999058', EMV_CITY: 'Ibadan' },
    server,
  );
  const emvOf = ({ headers }: LoggedIn, query = '', at = scheme) =>
    at.call('GET', `/v2/sso/qr?format=emv${query}`, { headers });

  it('200: the payload of the customer, for an amount if one is given', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const [any, one] = [await emvOf(ada), await emvOf(ada, '&amount=1500.5')];
    expect(any.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(readEmv(any.body)).toMatchObject({ '01': '11', 53: '566', 59: 'Ada Obi', 60: 'Ibadan' });
    expect(readObjects(readEmv(any.body)['26'] ?? '')).toEqual({
      '00': 'ng.nqr.example',
      '01': '999058',
      '02': ada.paytag,
    });
    expect(readEmv(one.body)).toMatchObject({ '01': '12', 54: '1500.50' });
    expect((await scheme.call('GET', '/v2/sso/qr?amount=', { headers: ada.headers })).body).toBe(
      (await qrOf(ada)).body,
    );
  });

  it('400: an amount that is none, or in a code that holds none, and a format that there is not', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const amounts = ['0', '-1', '1.005', '1e-3', '01', '10000000000', 'x', '1&amount=2'];
    for (const amount of amounts) expect((await emvOf(ada, `&amount=${amount}`)).statusCode).toBe(400);
    for (const query of ['?amount=5', '?format=png&amount=5', '?format=svg']) {
      expect((await scheme.call('GET', `/v2/sso/qr${query}`, { headers: ada.headers })).statusCode).toBe(400);
    }
  });

  it('404: where no scheme is configured', async () => {
    const answer = await emvOf(await loggedIn(server, await server.newPartner()), '', server);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'EMV_QR_NOT_CONFIGURED']);
  });
});
