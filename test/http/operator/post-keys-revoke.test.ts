import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';

const server = useApp();
const other = useApp({}, server);
const REASON = { reason: 'a laptop was stolen' };
const revoke = (kid: string, body: object = REASON) => server.operate('POST', `/keys/${kid}/revoke`, body);
type Rotation = { current: string; next: string };
const rotate = async () =>
  (await server.operate('POST', '/keys/rotate', { ...REASON, immediately: true })).json<Rotation>();
const statuses = async () => {
  const { items } = (await server.operate('GET', '/keys')).json<{ items: { kid: string; status: string }[] }>();
  return new Map(items.map(({ kid, status }) => [kid, status]));
};

describe('200', () => {
  it('the current key: the next one signs, and a token of before is good nowhere after a second', async () => {
    const { current, next } = await rotate();
    const { client_id, client_secret } = await newApplication(server);
    const tokenOf = async (at: typeof server) => {
      const payload = { client_id, client_secret };
      const answer = await at.call('POST', '/api/v1/auth/token', { payload });
      return answer.json<{ access_token: string }>().access_token;
    };
    const statusOf = async (at: typeof server, token: string) =>
      (await at.call('GET', '/api/v1/wallet', { headers: { authorization: `Bearer ${token}` } })).statusCode;
    server.clock.advance(1000);
    const token = await tokenOf(other);
    expect([await statusOf(server, token), await statusOf(other, token)]).toEqual([200, 200]);

    expect((await revoke(current)).json()).toMatchObject({ kid: current, status: 'REVOKED', verifies: false });
    expect(await statusOf(server, token)).toBe(401);
    server.clock.advance(1000);
    expect(await statusOf(other, token)).toBe(401);
    const after = await statuses();
    expect(after.get(next)).toBe('CURRENT');
    expect([...after.values()].filter((status) => status === 'NEXT')).toHaveLength(1);
    const anew = await tokenOf(other);
    expect([await statusOf(server, anew), await statusOf(other, anew)]).toEqual([200, 200]);
  });

  it('the next key: another one is next, and the current one signs on', async () => {
    const { current, next } = await rotate();
    expect((await revoke(next)).statusCode).toBe(200);
    const after = await statuses();
    expect([after.get(current), after.get(next)]).toEqual(['CURRENT', 'REVOKED']);
    expect([...after.values()].filter((status) => status === 'NEXT')).toHaveLength(1);
  });

  it('a retired key: nothing else changes', async () => {
    const { current } = await rotate();
    const after = await rotate();
    expect((await revoke(current)).statusCode).toBe(200);
    const now = await statuses();
    expect([now.get(current), now.get(after.current), now.get(after.next)]).toEqual(['REVOKED', 'CURRENT', 'NEXT']);
  });
});
