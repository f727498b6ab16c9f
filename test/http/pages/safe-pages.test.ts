import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { answerConsent, type TestClaim } from '../../support/claims.ts';
import { answerByPassword, customerWithPendingClaim, openPage } from '../../support/consent-page.ts';
import { callEndpoints, endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { eventually } from '../../support/eventually.ts';
import { completeReset, validatedReset } from '../../support/onboarding.ts';
import { enterPortal, hiddenIn, type PortalVisitor, portalPath, postForm, visitorWith } from '../../support/portal.ts';
import { refusalOf } from '../../support/refusals.ts';
import { waitersFor } from '../../support/row-locks.ts';
import { vouchRows } from '../../support/sealed.ts';
import { kycWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp({ PUBLIC_URL: 'https://pay.example.com' });
const HOUR_MS = 3_600_000;
const MARKUP = `<script>alert("x")</script><img src=x onerror='alert(1)'>&amp;`;

let owner: TestPartner;
let other: TestPartner;
let visitor: PortalVisitor;
const firstOf = async ({ headers }: TestPartner): Promise<string> =>
  (await server.call('GET', '/v2/partner/webhook/deliveries', { headers })).json().items[0].id;

beforeAll(async () => {
  ({ partner: owner } = await partnerWithEvents(server));
  ({ partner: other } = await partnerWithEvents(server));
  visitor = await enterPortal(server, owner);
});

const openFields = async (from: TestPartner) => {
  const { body } = await server.call('GET', await portalPath(server, from));
  return { form: hiddenIn(body, 'form'), token: hiddenIn(body, 'token') };
};

it('V3.3.1, V3.3.2, V3.3.4: the session is a cookie for these pages, over https, which no script and no other site gets', async () => {
  const answer = await postForm(server, '/webhooks/open', await openFields(owner));
  expect(answer.headers['set-cookie']).toMatch(
    /^__Secure-paytag-webhooks=[\w.-]+; Path=\/webhooks; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
  const maxAge = Number(/Max-Age=(\d+)/.exec(String(answer.headers['set-cookie']))?.[1]);
  expect(maxAge).toBeGreaterThan(3_500);
  expect(maxAge).toBeLessThanOrEqual(3_600);
});

it('the token of the link stands in no address after it was opened, and in no log', async () => {
  const { form, token } = await openFields(owner);
  const opened = await postForm(server, '/webhooks/open', { form, token });
  expect(opened.headers['location']).toBe('/webhooks');
  const page = await visitor.get();
  const secrets = [token, visitor.cookie.split('=')[1] ?? ''];
  for (const secret of secrets)
    expect([page.body.includes(secret), server.logged.includes(secret)]).toEqual([false, false]);
  expect(page.headers['referrer-policy']).toBe('no-referrer');
  expect(server.logged).toContain('/webhooks/open/:token');
});

describe('a session', () => {
  it('shows nothing of another partner, and does nothing there', async () => {
    const theirs = await firstOf(other);
    const [{ id: endpoint }] = (await callEndpoints(server, other, 'GET')).json().items;
    expect((await visitor.get()).body).not.toContain(theirs);
    expect((await visitor.get(`/webhooks?endpointId=${endpoint}`)).body).toContain('Nothing matches');
    expect((await visitor.get('/webhooks/endpoints')).body).not.toContain(endpoint);
    expect((await visitor.get(`/webhooks/deliveries/${theirs}`)).statusCode).toBe(404);
    expect((await visitor.press(`/webhooks/deliveries/${theirs}/resend`)).statusCode).toBe(404);
    expect((await visitor.press(`/webhooks/endpoints/${endpoint}/test`)).statusCode).toBe(404);
    const { count } = (await server.call('GET', '/v2/partner/webhook/deliveries', { headers: other.headers })).json();
    expect(count).toBe(2);
  });

  it('opens nothing else of this server, in whatever place it is sent', async () => {
    const session = visitor.cookie.split('=')[1] ?? '';
    const { token } = await openFields(owner);
    const tried = [session, token].flatMap((secret) => [
      { cookie: `__Secure-paytag-webhooks=${secret}` },
      { authorization: `Bearer ${secret}` },
      { 'x-client-id': owner.clientId, 'x-api-key': secret },
    ]);
    for (const headers of tried) {
      for (const path of ['/v2/partner/webhook', '/v2/partner/float', '/operator/v1/partners', '/api/v1/wallet']) {
        expect([path, (await server.call('GET', path, { headers })).statusCode]).toEqual([path, 401]);
      }
    }
  });

  it('is not the token of the link, nor the other way round', async () => {
    const { token, form } = await openFields(owner);
    const session = visitor.cookie.split('=')[1] ?? '';
    expect((await visitorWith(server, `__Secure-paytag-webhooks=${token}`).get()).statusCode).toBe(410);
    expect((await server.call('GET', `/webhooks/open/${session}`)).statusCode).toBe(410);
    expect((await postForm(server, '/webhooks/open', { form, token: session })).statusCode).toBe(403);
  });

  it('cannot be made up, changed or lengthened', async () => {
    const session = visitor.cookie.split('=')[1] ?? '';
    const [text = '', signature = ''] = session.split('.');
    const later = Buffer.from(text, 'base64url');
    later.writeBigUInt64BE(later.readBigUInt64BE(64) + 1n, 64);
    const theirs = (await enterPortal(server, other)).cookie.split('=')[1] ?? '';
    const changed = [
      '',
      'x',
      text,
      `${text}.`,
      `${later.toString('base64url')}.${signature}`,
      `${theirs.split('.')[0]}.${signature}`,
    ];
    for (const one of changed) {
      const answer = await visitorWith(server, `__Secure-paytag-webhooks=${one}`).get();
      expect([one, answer.statusCode]).toEqual([one, 410]);
      expect(answer.body).not.toContain('/webhooks/deliveries/');
    }
    expect((await server.call('GET', '/webhooks')).statusCode).toBe(410);
  });

  it.each<[string, (of: TestPartner) => Promise<unknown>]>([
    [
      'its partner is suspended',
      ({ id }) => server.operate('POST', `/partners/${id}/suspend`, { reason: 'a complaint' }),
    ],
    [
      'the API key is revoked that the link was asked for with, though there is another',
      async ({ id }) => {
        const { keys } = (await server.operate('GET', `/partners/${id}`)).json();
        await server.operate('POST', `/partners/${id}/keys`, { reason: 'a change' });
        await server.operate('POST', `/partners/${id}/keys/${keys[0].id}/revoke`, { reason: 'a leak' });
      },
    ],
    ['the hour is over', async () => server.clock.advance(HOUR_MS)],
  ])('ends when %s, and so does the link', async (_, end) => {
    const { partner: ending } = await partnerWithEvents(server);
    const path = await portalPath(server, ending);
    const entered = await enterPortal(server, ending);
    const delivery = await firstOf(ending);
    const { body } = await entered.get(`/webhooks/deliveries/${delivery}`);
    await end(ending);
    for (const page of ['/webhooks', '/webhooks/endpoints', '/webhooks/verify', `/webhooks/deliveries/${delivery}`]) {
      const answer = await entered.get(page);
      expect([page, answer.statusCode, answer.body.includes(ending.id)]).toEqual([page, 410, false]);
    }
    const form = hiddenIn(body, 'form');
    const resent = await postForm(
      server,
      `/webhooks/deliveries/${delivery}/resend`,
      { form },
      { cookie: entered.cookie },
    );
    expect(resent.statusCode).toBe(410);
    expect((await server.call('GET', path)).statusCode).toBe(410);
  });

  it('V7.4.1, V7.4.4: ends with “Close” in every browser, however it was kept, and so does its link; no other link does', async () => {
    const another = await enterPortal(server, owner);
    const path = await portalPath(server, owner);
    const fields = async () => {
      const { body } = await server.call('GET', path);
      return { form: hiddenIn(body, 'form'), token: hiddenIn(body, 'token') };
    };
    const kept = await fields();
    const sessions = await Promise.all(
      [1, 2].map(async () => {
        const opened = await postForm(server, '/webhooks/open', await fields());
        return visitorWith(server, String(opened.headers['set-cookie']).split(';')[0] ?? '');
      }),
    );
    const [closing, elsewhere] = sessions as [PortalVisitor, PortalVisitor];
    expect((await elsewhere.get()).statusCode).toBe(200);
    const answer = await closing.press('/webhooks/close');
    expect(answer.headers['set-cookie']).toMatch(/^__Secure-paytag-webhooks=; Path=\/webhooks; Max-Age=0; /);
    for (const session of sessions) expect((await session.get()).statusCode).toBe(410);
    expect((await server.call('GET', path)).statusCode).toBe(410);
    const replayed = await postForm(server, '/webhooks/open', kept);
    expect([replayed.statusCode, replayed.headers['set-cookie']]).toEqual([410, undefined]);
    expect((await another.get()).statusCode).toBe(200);
  });
});

it('V3.5.1: a form that another site sends, or that stood on another page, changes nothing', async () => {
  const current = await enterPortal(server, owner);
  const { cookie } = current;
  const delivery = await firstOf(owner);
  const own = hiddenIn((await current.get()).body, 'form');
  const theirs = hiddenIn((await (await enterPortal(server, other)).get()).body, 'form');
  const { form: ofLink } = await openFields(owner);
  const [{ id: endpoint }] = (await callEndpoints(server, owner, 'GET')).json().items;
  const paths = [`/webhooks/deliveries/${delivery}/resend`, `/webhooks/endpoints/${endpoint}/test`, '/webhooks/close'];
  const before = (await current.get()).body;
  for (const path of paths) {
    for (const form of ['x', theirs, ofLink]) {
      expect((await postForm(server, path, { form }, { cookie })).statusCode).toBe(403);
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await postForm(server, path, { form: own }, { cookie, 'sec-fetch-site': site });
      expect([path, site, answer.statusCode, answer.headers['set-cookie']]).toEqual([path, site, 403, undefined]);
    }
  }
  const countOf = (page: string) => /\d+ deliveries/.exec(page)?.[0];
  expect(countOf((await current.get()).body)).toBe(countOf(before));
  const forced = await postForm(server, '/webhooks/open', await openFields(other), { 'sec-fetch-site': 'cross-site' });
  expect([forced.statusCode, forced.headers['set-cookie']]).toEqual([403, undefined]);
});

it('V1.2.1: whatever a body, a reference, a pause, a filter or an answer of a receiver holds is shown as the text it is', async () => {
  const hostile = await server.newPartner({ float: 100, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const wallet = await kycWallet(server, hostile);
  await moveMoney(server, hostile, wallet, 'credit', { amount: 1, reference: 'r-1', comment: MARKUP });
  await endAll(server.resources.pool, MARKUP);
  await server.owner.query(
    `update webhooks.delivery set last_response = $1, last_attempt_error = $2, last_error = $2
      where receiver_id = (select id from outbox.receiver where owner_id = $3)`,
    [Buffer.from(`${MARKUP}\u202e\u0000\u0001\ufffd`), MARKUP, hostile.id],
  );
  await server.operate('POST', `/receivers/${hostile.id}/pause`, { reason: MARKUP });
  const entered = await enterPortal(server, hostile);
  const query = new URLSearchParams({ error: MARKUP }).toString();
  const pages = [
    '/webhooks',
    `/webhooks?${query}`,
    `/webhooks/deliveries/${await firstOf(hostile)}`,
    '/webhooks/endpoints',
  ];
  for (const path of pages) {
    const { statusCode, body } = await entered.get(path);
    expect([path, statusCode, body.includes('&lt;script&gt;alert')]).toEqual([path, 200, true]);
    expect(body).not.toMatch(/<script|<img|\sonerror='/);
  }
});

let page = '';
let claim: TestClaim;

beforeAll(async () => {
  ({ claim } = await customerWithPendingClaim(server, { name: 'Zuma Market', displayName: `O'Neil & "Sons"` }));
  page = (await openPage(server, claim)).body;
});

it('V3.2.2: a name with every character that HTML reads is shown as the text it is', () => {
  expect(page).toContain('O&#39;Neil &amp; &quot;Sons&quot;');
  expect(page).not.toContain('"Sons"');
});

it('V6.2.6: the field of the password is masked', () => {
  const fields = [...page.matchAll(/<input[^>]+name="password"[^>]*>/g)].map(([field]) => field);
  expect(fields).toHaveLength(1);
  expect(fields[0]).toMatch(/\stype="password"\s/);
});

it('V6.2.7: it takes what is pasted and what a password manager fills in', () => {
  expect(page).toMatch(/<input[^>]+name="paytag"[^>]+autocomplete="username"/);
  expect(page).toMatch(/<input[^>]+name="password"[^>]+autocomplete="current-password"/);
  expect(page).not.toMatch(/<script|\son\w+=|autocomplete="off"/i);
});

it('V10.7.2: the page says who asks, for what, until when it can be answered, and how long an approval holds', () => {
  for (const said of ['Zuma Market', claim.tagString, 'Lagos time', 'holds until you or', 'end it, at any time']) {
    expect(page).toContain(said);
  }
});

it('V7.4.3: a reset of the password takes back what was approved with the old one and fetched by nobody yet', async () => {
  const { claim: asked, requester } = await customerWithPendingClaim(server);
  const partner = await server.newPartner();
  expect((await answerByPassword(server, asked)).statusCode).toBe(303);
  await completeReset(server, partner, await validatedReset(server, partner, asked.tagString));
  expect(refusalOf(await answerConsent(server, requester, asked.consentToken, 'approve'))).toEqual([
    403,
    'OWNER_CONSENT_REQUIRED',
  ]);
});

it('V7.4.3: of a fetch and a reset at once, one that waits for the other finds what it has done', async () => {
  const { claim: asked, requester } = await customerWithPendingClaim(server);
  await answerByPassword(server, asked);
  const client = await server.owner.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query(
      `update claims.claim set owner_confirmed_at = null, owner_confirmed_by = null, routing_mac = '\\x00' where id = $1`,
      [asked.id],
    );
    await vouchRows(client, server.resources.keyring);
    const fetched = answerConsent(server, requester, asked.consentToken, 'approve');
    await eventually(async () => expect(await waitersFor(server.owner, Number(rows[0]?.pid))).toBe(1));
    await client.query('commit');
    expect(refusalOf(await fetched)).toEqual([403, 'OWNER_CONSENT_REQUIRED']);
  } finally {
    client.release();
  }
});

it('V8.2.1: the page of an application that was suspended takes no consent', async () => {
  const { claim: asked, requester } = await customerWithPendingClaim(server);
  await server.operate('POST', `/applications/${requester.applicationId}/suspend`, { reason: 'phishing' });
  expect((await openPage(server, asked)).body).not.toContain('value="approve"');
  expect((await answerByPassword(server, asked)).statusCode).toBe(409);
});
