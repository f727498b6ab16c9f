import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';

const server = useApp();
const rotate = () => server.operate('POST', '/keys/rotate', { reason: 'once a quarter' });

describe('200', () => {
  it('the key that was next signs, and a new next one is published', async () => {
    const first = (await rotate()).json<{ current: string; next: string }>();
    const second = await rotate();
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual({ current: first.next, next: expect.any(String) });
    const { keys } = (await server.call('GET', '/.well-known/jwks.json')).json<{ keys: { kid: string }[] }>();
    const kids = keys.map(({ kid }) => kid);
    expect(kids).toEqual(expect.arrayContaining([first.current, first.next, second.json().next]));
  });

  it('is written to the audit log, with the reason and no key', async () => {
    const { current, next } = (await rotate()).json<{ current: string; next: string }>();
    const entry = (await auditOf(server, 'signing-keys')).at(-1);
    expect(entry).toMatchObject({ actor: 'operator:root', action: 'keys.rotate', reason: 'once a quarter' });
    expect(entry?.after).toEqual({ current, next });
  });
});

describe('400', () => {
  it.each([{}, { reason: '' }, { reason: 7 }])('asks why: %j', async (body) => {
    expect((await server.operate('POST', '/keys/rotate', body)).statusCode).toBe(400);
  });
});
