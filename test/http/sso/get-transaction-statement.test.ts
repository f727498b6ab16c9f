import { describe, expect, it } from 'vitest';
import { prepareStatements } from '#modules/statements';
import { useApp } from '../../support/app.ts';
import { type LoggedIn, loggedIn, logInAt } from '../../support/wallets.ts';

const PUBLIC_URL = 'https://pay.example.com';
const server = useApp({ PUBLIC_URL });
const read = ({ headers }: Pick<LoggedIn, 'headers'>, reference: string) =>
  server.call('GET', `/v2/sso/transaction/statement/${reference}`, { headers });
const request = ({ headers }: LoggedIn, query = '') =>
  server.call('POST', `/v2/sso/transaction/statement${query}`, {
    headers: { ...headers, prefer: 'wait=5, Respond-Async' },
  });

describe('200', () => {
  it('Pending until a worker made it ready, then with a link that answers it', async () => {
    const ada = await loggedIn(server, await server.newPartner({ float: 50 }), 50);
    const asked = await request(ada, '?format=csv');
    expect(asked.statusCode).toBe(202);
    expect(asked.headers['preference-applied']).toBe('respond-async');
    const { reference } = asked.json<{ reference: string }>();
    expect(asked.json()).toEqual({ reference, status: 'Pending' });
    expect(asked.headers['location']).toBe(`${PUBLIC_URL}/v2/sso/transaction/statement/${reference}`);

    const pending = (await read(ada, reference)).json();
    expect(pending).toMatchObject({ reference, status: 'Pending', format: 'csv' });
    expect(pending).not.toHaveProperty('url');
    await prepareStatements(server.resources);
    const ready = await read(ada, reference);
    expect(ready.headers['cache-control']).toBe('no-store');
    const { status, url } = ready.json<{ status: string; url: string }>();
    expect(status).toBe('Ready');
    const document = await server.call('GET', url.slice(PUBLIC_URL.length));
    expect(document.body).toContain('Closing balance,,,,NGN,,,,50.00');
  });
});

it('404: unknown, another customer’s, and the customer’s own at another partner', async () => {
  const [first, second] = [await server.newPartner(), await server.newPartner()];
  const [ada, bola] = [await loggedIn(server, first), await loggedIn(server, first)];
  const { reference } = (await request(ada)).json<{ reference: string }>();
  const elsewhere = await logInAt(server, second, ada);
  for (const [who, named] of [
    [ada, 'STM-0'],
    [bola, reference],
    [elsewhere, reference],
  ] as const) {
    const answer = await read(who, named);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().errorCode).toBe('STATEMENT_NOT_FOUND');
  }
});
