import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/crypto/digest.ts';
import { addApiKey, sendMails } from '#modules/clients';
import { type TestPartner, useApp } from '../../support/app.ts';
import { askForToken, newApplication, type TestApplication } from '../../support/application.ts';
import { brokenInvariants, FAILED, whileAltered } from '../../support/books.ts';
import { sentNotices } from '../../support/customers.ts';
import { newDispute } from '../../support/disputes.ts';
import { authCode, exchange, newCustomer, PASSWORD } from '../../support/onboarding.ts';

const server = useApp();
const MAC = 'routing_facts_are_authentic';
const SEAL = 'sealed_values_open';
let partner: TestPartner;
let other: TestPartner;
let application: TestApplication;

beforeAll(async () => {
  partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
  other = await server.newPartner();
  application = await newApplication(server);
});

/** As whoever has the login of the server at the database, and nothing else of it. */
const asServer = (statement: string, values: unknown[] = []) => server.resources.pool.query(statement, values);
const altered = (table: string, change: string, seenBy: string, meanwhile: () => Promise<void>) =>
  whileAltered(server, { table, changes: [change], seenBy }, meanwhile);

describe('a partner', () => {
  it.each([
    ['another redirect URL', `redirect_url = 'https://evil.example/cb'`],
    ['another client id', `client_id_digest = sha256('mine')`],
    ['another’s MAC', 'routing_mac = (select routing_mac from public.kept k where k.id <> t.id limit 1)'],
  ])('that has %s logs nobody in, and does nothing', async (what, set) => {
    const { paytag } = await newCustomer(server, partner);
    const change = `update partners.partner t set ${set} where id = '${partner.id}'`;
    const headers = what === 'another client id' ? { ...partner.headers, 'x-client-id': 'mine' } : partner.headers;
    const payload = { paytag, password: PASSWORD };
    await altered('partners.partner', change, MAC, async () => {
      await expect(server.call('POST', '/v2/sso/auth-code?scope=profile', { headers, payload })).rejects.toThrow(
        FAILED,
      );
      expect((await server.call('GET', '/v2/partner/float', { headers: other.headers })).statusCode).toBe(200);
    });
    expect(await authCode(server, partner, paytag)).toMatch(/^[\w-]{43}$/);
  });

  it('has no key that the login of the server wrote, nor one that was another’s, and a revoked one stays so', async () => {
    const key = 'sk_sandbox_mine';
    const insert = `insert into partners.api_key (partner_id, digest, routing_mac)
      select '${partner.id}', sha256('${key}'), routing_mac from partners.api_key limit 1`;
    await altered('partners.api_key', insert, MAC, async () => {
      const headers = { ...partner.headers, 'x-api-key': key };
      await expect(server.call('GET', '/v2/partner/float', { headers })).rejects.toThrow(FAILED);
      expect((await server.call('GET', '/v2/partner/float', { headers: partner.headers })).statusCode).toBe(200);
    });
    const moved = `update partners.api_key set partner_id = '${partner.id}' where partner_id = '${other.id}'`;
    await altered('partners.api_key', moved, MAC, async () => {
      const headers = { ...partner.headers, 'x-api-key': other.headers['x-api-key'] };
      await expect(server.call('GET', '/v2/partner/float', { headers })).rejects.toThrow(FAILED);
    });
    const { id, apiKey } = (await server.operate('POST', `/partners/${partner.id}/keys`, {})).json();
    await server.operate('POST', `/partners/${partner.id}/keys/${id}/revoke`, { reason: 'leaked' });
    await expect(asServer('update partners.api_key set revoked_at = null where id = $1', [id])).rejects.toThrow(
      'never changed',
    );
    const answer = await server.call('GET', '/v2/partner/float', {
      headers: { ...partner.headers, 'x-api-key': apiKey },
    });
    expect(answer.statusCode).toBe(401);
  });

  it('cannot be sent elsewhere by the login of the server', async () => {
    for (const [table, column] of [
      ['partners.partner', 'redirect_url'],
      ['partners.partner', 'client_id_digest'],
      ['partners.partner', 'routing_mac'],
      ['partners.api_key', 'digest'],
      ['partners.api_key', 'partner_id'],
      ['outbox.receiver', 'url'],
      ['outbox.receiver', 'events'],
      ['outbox.receiver', 'owner_id'],
      ['outbox.receiver', 'client_id_sealed'],
      ['outbox.receiver', 'routing_mac'],
      ['applications.application', 'secret_digest'],
      ['applications.application', 'return_urls'],
      ['applications.application', 'namespace'],
      ['sessions.auth_code', 'customer_id'],
      ['sessions.session', 'customer_id'],
    ]) {
      await expect(asServer(`update ${table} set ${column} = ${column}`)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('is not changed while it is not as we stored it: no change of ours vouches for what somebody else wrote', async () => {
    const evil = `redirect_url = 'https://evil.example/cb'`;
    await altered(
      'partners.partner',
      `update partners.partner set ${evil} where id = '${partner.id}'`,
      MAC,
      async () => {
        const change = { name: 'Another', reason: 'a test' };
        await expect(server.operate('PATCH', `/partners/${partner.id}`, change)).rejects.toThrow(FAILED);
      },
    );
    const moved = `update outbox.receiver set url = 'https://evil.example' where owner_id = '${partner.id}'`;
    await altered('outbox.receiver', moved, MAC, async () => {
      const call = { headers: partner.headers, payload: { url: 'http://127.0.0.1:9/new' } };
      await expect(server.call('PUT', '/v2/partner/webhook', call)).rejects.toThrow(FAILED);
      const rotate = server.call('POST', '/v2/partner/webhook/secret/rotate', {
        headers: partner.headers,
        payload: {},
      });
      await expect(rotate).rejects.toThrow(FAILED);
    });
  });
});

describe('an application', () => {
  it.each([
    ['another secret', `secret_digest = sha256('mine')`, 'mine'],
    [
      'a secret before its own',
      `(previous_secret_digest, previous_secret_until) = (sha256('mine'), now() + interval '9 days')`,
      'mine',
    ],
    ['another namespace', `namespace = 'another'`, undefined],
    ['another page to lead customers to', `return_urls = '{https://evil.example/}'`, undefined],
  ])('that has %s gets no token, and one that it has is good for nothing', async (_what, set, secret) => {
    const change = `update applications.application set ${set} where id = '${application.applicationId}'`;
    await altered('applications.application', change, MAC, async () => {
      await expect(askForToken(server, application, secret)).rejects.toThrow(FAILED);
      const call = server.call('GET', '/api/v1/applications/return-urls', { headers: application.headers });
      await expect(call).rejects.toThrow(FAILED);
    });
    expect((await askForToken(server, application)).statusCode).toBe(200);
  });
});

describe('an authorization code', () => {
  it('that the login of the server wrote, or that was another customer’s, is nobody’s login', async () => {
    const [ada, bayo] = [await newCustomer(server, partner), await newCustomer(server, partner)];
    const code = await authCode(server, partner, ada.paytag);
    await asServer(
      `insert into sessions.auth_code (digest, partner_id, customer_id, scope, created_at, expires_at, routing_mac)
       select sha256('mine'), partner_id, customer_id, scope, created_at, expires_at, routing_mac from sessions.auth_code where digest = $1`,
      [sha256(code)],
    );
    await expect(exchange(server, partner, 'mine')).rejects.toThrow(FAILED);
    await asServer(`delete from sessions.auth_code where digest = sha256('mine')`);
    const change = `update sessions.auth_code set customer_id = (select t.id from customers.customer t join tags.tag g on g.id = t.tag_id where g.handle = '${bayo.paytag}')
      where digest = '\\x${sha256(code).toString('hex')}'`;
    await altered('sessions.auth_code', change, MAC, async () => {
      await expect(exchange(server, partner, code)).rejects.toThrow(FAILED);
    });
    expect((await exchange(server, partner, code)).statusCode).toBe(200);
  });
});

describe('a letter to the contact of an owner', () => {
  const contactOf = async (email: string) => {
    const owner = await server.newPartner();
    const change = { contactEmail: email, reason: 'a test' };
    expect((await server.operate('PATCH', `/partners/${owner.id}`, change)).statusCode).toBe(200);
    return owner;
  };
  const mailed = async (): Promise<string[]> => {
    const to: string[] = [];
    const email = { send: async (mail: { to: string }) => void to.push(mail.to) };
    await sendMails({ ...server.resources, email });
    return to;
  };

  it('waits while its address is not as we stored it, and is mailed when it is right again', async () => {
    const owner = await contactOf('ada@shop.example');
    await mailed();
    const url = { redirectUrl: 'https://shop.example/new', reason: 'a test' };
    await server.operate('PATCH', `/partners/${owner.id}`, url);
    const change = `update letters.letter set owner_id = '${partner.id}' where recipient_sealed is not null`;
    await altered('letters.letter', change, SEAL, async () => {
      for (let time = 0; time < 12; time += 1) {
        expect(await mailed()).toEqual([]);
        server.clock.advance(6 * 60_000);
      }
    });
    expect(await mailed()).toEqual(['ada@shop.example']);
  });

  it('shows no secret to an address that the login of the server says is proven', async () => {
    const owner = await contactOf('bayo@shop.example');
    await server.operate('PATCH', `/partners/${owner.id}`, {
      redirectUrl: 'https://shop.example/new',
      reason: 'a test',
    });
    await asServer(
      `insert into letters.proven_contact (owner_id, address_digest, proven_at, routing_mac)
       select owner_id, address_digest, now(), address_digest from letters.letter where owner_id = $1 limit 1`,
      [owner.id],
    );
    expect(await brokenInvariants(server)).toEqual(expect.arrayContaining([MAC, 'proven_contacts_are_audited']));
    const adding = addApiKey(server.resources, { actor: 'operator:root', partnerId: owner.id, toOwner: true });
    await expect(adding).rejects.toThrow('letters.proven_contact');
    await asServer('delete from letters.proven_contact where owner_id = $1', [owner.id]);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

it('a notice to a customer waits while it is not as we stored it, and is sent when it is right again', async () => {
  const { paytag } = await newCustomer(server, partner);
  await sentNotices(server);
  await authCode(server, other, paytag);
  const change = `update notices.notice set kind = 'PASSWORD_RESET' where recipient_sealed is not null`;
  await altered('notices.notice', change, SEAL, async () => {
    for (let time = 0; time < 12; time += 1) {
      expect(await sentNotices(server)).toEqual([]);
      server.clock.advance(6 * 60_000);
    }
  });
  expect((await sentNotices(server)).length).toBeGreaterThan(0);
});

it('evidence that stands in the place of other evidence of the same moment is not shown, and nothing else is lost', async () => {
  const evidence = [{ text: 'the goods never came' }, { text: 'the goods came' }];
  const { id } = await newDispute(server, { evidence });
  const swap = `update disputes.evidence e set said_sealed = k.said_sealed from public.kept k
    where e.dispute_id = '${id}' and k.dispute_id = e.dispute_id and k.number <> e.number`;
  await altered('disputes.evidence', swap, SEAL, async () => {
    const answer = await server.operate('GET', `/disputes/${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().evidence.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringContaining('it was altered in the database'),
      expect.stringContaining('it was altered in the database'),
    ]);
  });
  const shown = (await server.operate('GET', `/disputes/${id}`)).json();
  expect(shown.evidence).toMatchObject(evidence);
});

describe('an older row that is put back, with the MAC that it had', () => {
  /** What the check says once a row stands as it did before a change of ours. */
  async function afterPuttingBack(table: string, change: () => Promise<unknown>): Promise<string[]> {
    await server.owner.query(`drop table if exists public.older; create table public.older as table ${table}`);
    await change();
    await server.owner.query(`drop table if exists public.newer; create table public.newer as table ${table}`);
    const stand = (rows: string) =>
      server.owner.query(`begin; set local session_replication_role = replica; delete from ${table};
        insert into ${table} table public.${rows}; commit`);
    await stand('older');
    const broken = await brokenInvariants(server);
    await stand('newer');
    expect(await brokenInvariants(server)).toEqual([]);
    return broken;
  }

  it.each<[string, string, string, () => Promise<unknown>]>([
    [
      'redirect URL',
      'partners.partner',
      'redirect_urls_are_audited',
      () =>
        server.operate('PATCH', `/partners/${partner.id}`, { redirectUrl: 'https://new.example/cb', reason: 'a test' }),
    ],
    [
      'contact',
      'partners.partner',
      'contacts_are_audited',
      () => server.operate('PATCH', `/partners/${partner.id}`, { contactEmail: 'new@shop.example', reason: 'a test' }),
    ],
    [
      'webhook URL',
      'outbox.receiver',
      'receivers_are_audited',
      () =>
        server.call('PUT', '/v2/partner/webhook', {
          headers: partner.headers,
          payload: { url: 'http://127.0.0.1:9/newest' },
        }),
    ],
    [
      'client secret',
      'applications.application',
      'application_credentials_are_audited',
      async () => {
        const asked = { immediately: true, reason: 'a test' };
        const url = `/applications/${application.applicationId}/secret/rotate`;
        expect((await server.operate('POST', url, asked)).statusCode).toBe(200);
      },
    ],
  ])('is found by what was audited: a %s', async (_what, table, seenBy, change) => {
    expect(await afterPuttingBack(table, change)).toEqual([seenBy]);
  });

  it('is found by what was audited: the endpoints beside the default one', async () => {
    const headers = partner.headers;
    const payload = { url: 'http://127.0.0.1:9/beside', events: ['wallet.credited'] };
    const made = await server.call('POST', '/v2/partner/webhook/endpoints', { headers, payload });
    expect(made.statusCode).toBe(201);
    const url = `/v2/partner/webhook/endpoints/${made.json().id}`;
    const change = async () => {
      const answer = await server.call('PATCH', url, { headers, payload: { events: ['wallet.debited'] } });
      expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()]);
    };
    expect(await afterPuttingBack('outbox.receiver', change)).toEqual(['receivers_are_audited']);
    expect((await server.call('DELETE', url, { headers })).statusCode).toBe(204);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

it('leaves the books right at the end', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
