import { describe, expect, it } from 'vitest';
import { type TestApp, useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { eventually } from '../support/eventually.ts';
import { loggedIn } from '../support/wallets.ts';

const server = useApp();
/** A second process of the installation. */
const other = useApp({}, server);
const REASON = { reason: 'a test asks for it' };

interface Caller {
  url: string;
  headers: Record<string, string>;
  /** Ends in the first process what they call with. */
  end: () => Promise<unknown>;
}

const callers: [what: string, make: () => Promise<Caller>][] = [
  [
    'an API key that is revoked',
    async () => {
      const { id, headers } = await server.newPartner();
      const { keys } = (await server.operate('GET', `/partners/${id}`)).json<{ keys: { id: string }[] }>();
      const end = () => server.operate('POST', `/partners/${id}/keys/${keys[0]?.id}/revoke`, REASON);
      return { url: '/v2/partner/float', headers, end };
    },
  ],
  [
    'a partner that is suspended',
    async () => {
      const { id, headers } = await server.newPartner();
      return {
        url: '/v2/partner/float',
        headers,
        end: () => server.operate('POST', `/partners/${id}/suspend`, REASON),
      };
    },
  ],
  [
    'an application that is suspended',
    async () => {
      const { applicationId, headers } = await newApplication(server);
      const end = () => server.operate('POST', `/applications/${applicationId}/suspend`, REASON);
      return { url: '/api/v1/wallet', headers, end };
    },
  ],
  [
    'a session that is ended',
    async () => {
      const { headers } = await loggedIn(server, await server.newPartner());
      return { url: '/v2/sso/wallet', headers, end: () => server.call('DELETE', '/v2/sso/token', { headers }) };
    },
  ],
];

const statusAt = async (app: TestApp, { url, headers }: Caller) => (await app.call('GET', url, { headers })).statusCode;

const LISTENING = `from pg_stat_activity where application_name = 'paytag-listen' and datname = current_database()`;
const listeners = async () => (await server.owner.query(`select ${LISTENING}`)).rowCount;
/** Ends the connections on which processes are told of changes. They connect again after a second. */
const cutListeners = () => server.owner.query(`select pg_terminate_backend(pid, 10_000) ${LISTENING}`);

describe('V7.4.1: what one process ends is refused there at once, and within a second by others', () => {
  it.each(callers)('%s: others are told', async (_what, make) => {
    server.clock.stop(); // nothing expires by itself
    const caller = await make();
    await eventually(async () => {
      for (const app of [server, other]) expect(await statusAt(app, caller)).toBe(200);
      expect(await listeners()).toBe(2);
    });
    for (const app of [server, other]) expect(await statusAt(app, caller)).toBe(200);
    await caller.end();
    expect(await statusAt(server, caller)).toBeGreaterThan(400);
    await eventually(async () => expect(await statusAt(other, caller)).toBeGreaterThan(400));
  });

  it.each(callers)('%s: one that lost its listening connection looks for itself', async (_what, make) => {
    server.clock.stop();
    const caller = await make();
    expect(await statusAt(other, caller)).toBe(200);
    await cutListeners();
    expect(await statusAt(other, caller)).toBe(200);
    await caller.end();
    server.clock.advance(1_000);
    expect(await statusAt(other, caller)).toBeGreaterThan(400);
  });
});

it('V7.4.1: what is given back, or new, is taken by every process at once', async () => {
  const { id, headers } = await server.newPartner();
  const float = { url: '/v2/partner/float', headers, end: async () => undefined };
  expect(await statusAt(other, float)).toBe(200);
  await server.operate('POST', `/partners/${id}/suspend`, REASON);
  await eventually(async () => expect(await statusAt(other, float)).toBe(403));
  await server.operate('POST', `/partners/${id}/restore`, REASON);
  expect(await statusAt(other, float)).toBe(200);
  const { apiKey } = (await server.operate('POST', `/partners/${id}/keys`, REASON)).json<{ apiKey: string }>();
  expect(await statusAt(other, { ...float, headers: { ...headers, 'x-api-key': apiKey } })).toBe(200);
});
