import { setTimeout as elapsed } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  type ClientCall,
  clientOf,
  type Method,
  remoteCustomer,
  remotePartner,
} from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv, startServer } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/served.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** What holds in one process holds everywhere so long after. */
const EVERYWHERE_MS = 1_000;
/** Triggers of the database notify on it. */
const CHANNEL = 'paytag_changes';
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const because = { headers: operator, json: { reason: 'a complaint' } };

const database = useDatabase();
let servers: ServedHere[] = [];
let proxy: TcpProxy;
/** Where credentials are changed. */
let here: Client;
/** Whose listening connection stands, and is told of no change: as behind a pooler that gave it away. */
let there: Client;
beforeAll(async () => {
  proxy = await startTcpProxy(database.url);
  proxy.swallowAnswers(CHANNEL);
  const env = { ...serverEnv(database.url), ROLE: 'api', PUBLIC_URL: 'https://paytag.example' };
  servers = await Promise.all([serveHere(env), startServer({ ...env, DATABASE_DIRECT_URL: proxy.url })]);
  [here, there] = servers.map(({ url }) => clientOf(url)) as [Client, Client];
  await listens();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await proxy.close();
});

/** As it begins to listen, a process forgets what it held. It does so at its first look-up. */
async function listens(): Promise<void> {
  const { id, headers } = await remotePartner(here, { name: 'Acme' });
  await there('GET', '/v2/partner/float', { headers });
  await eventually(async () => {
    for (const what of ['suspend', 'restore']) await here('POST', `/operator/v1/partners/${id}/${what}`, because);
    expect(proxy.swallowed).toBeGreaterThan(0);
  });
}

interface Ended {
  /** What is let in until then. */
  call: [Method, string, ClientCall];
  /** Ends in the first process what it is called with. */
  end: () => Promise<{ status: number }>;
  /** What it is answered then. */
  refused: number;
}

interface Made {
  data: { applicationId: string; client_id: string; client_secret: string };
}

async function application() {
  const made = await here<Made>('POST', '/api/v1/applications', { json: { applicationName: 'Acme' } });
  const { applicationId, client_id, client_secret } = made.body.data;
  const secret = { client_id, client_secret };
  const { body } = await here<{ access_token: string }>('POST', '/api/v1/auth/token', { json: secret });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const rotate = () =>
    here('POST', '/api/v1/applications/secret/rotate', { headers, json: { client_secret, immediately: true } });
  return { id: applicationId, secret, headers, rotate };
}

async function customer(of: { firstName: string; bvn: string; phone: string }) {
  const partner = await remotePartner(here, { name: 'Acme' });
  return remoteCustomer(here, partner, { ...of, paytag: of.firstName.toLowerCase() });
}

const credentials: [what: string, make: () => Promise<Ended>][] = [
  [
    'a partner that is suspended',
    async () => {
      const { id, headers } = await remotePartner(here, { name: 'Acme' });
      return {
        call: ['GET', '/v2/partner/float', { headers }],
        end: () => here('POST', `/operator/v1/partners/${id}/suspend`, because),
        refused: 403,
      };
    },
  ],
  [
    'an API key that is revoked',
    async () => {
      const { id, headers } = await remotePartner(here, { name: 'Acme' });
      const partner = `/operator/v1/partners/${id}`;
      const { body } = await here<{ keys: { id: string }[] }>('GET', partner, { headers: operator });
      return {
        call: ['GET', '/v2/partner/float', { headers }],
        end: () => here('POST', `${partner}/keys/${body.keys[0]?.id}/revoke`, because),
        refused: 401,
      };
    },
  ],
  [
    'an application that is suspended',
    async () => {
      const { id, headers } = await application();
      return {
        call: ['GET', '/api/v1/wallet', { headers }],
        end: () => here('POST', `/operator/v1/applications/${id}/suspend`, because),
        refused: 403,
      };
    },
  ],
  [
    'the token of an application whose secret is rotated',
    async () => {
      const { headers, rotate } = await application();
      return {
        call: ['GET', '/api/v1/wallet', { headers }],
        end: rotate,
        refused: 401,
      };
    },
  ],
  [
    'the secret of an application, once it is rotated',
    async () => {
      const { secret, rotate } = await application();
      return {
        call: ['POST', '/api/v1/auth/token', { json: secret }],
        end: rotate,
        refused: 401,
      };
    },
  ],
  [
    'the token of a customer who logs out',
    async () => {
      const { headers } = await customer({ firstName: 'Adaobi', bvn: '22212345678', phone: '08031234567' });
      return {
        call: ['GET', '/v2/sso/wallet', { headers }],
        end: () => here('DELETE', '/v2/sso/token', { headers }),
        refused: 401,
      };
    },
  ],
];

describe('a process that is told of nothing refuses, a second after it ended in another,', () => {
  it.each(credentials)('%s', async (_, make) => {
    const { call, end, refused } = await make();
    expect((await there(...call)).status).toBe(200);
    const swallowed = proxy.swallowed;
    expect((await end()).status).toBeLessThan(300);
    await elapsed(EVERYWHERE_MS); // it is the promise: whoever asks then asks once
    expect((await there(...call)).status).toBe(refused);
    expect(proxy.swallowed).toBeGreaterThan(swallowed);
  });
});
