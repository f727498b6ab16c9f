import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { purgeDeliveries } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { callEndpoints, endAll, newEndpoint, partnerWithEvents } from '../../support/deliveries.ts';
import { enterPortal, type PortalVisitor, portalPath } from '../../support/portal.ts';
import { NOBODY } from '../../support/refusals.ts';
import { moveMoney } from '../../support/wallets.ts';

const server = useApp({ WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7' });
let partner: TestPartner;
let wallet: string;
let visitor: PortalVisitor;
beforeAll(async () => {
  ({ partner, wallet } = await partnerWithEvents(server));
  await endAll(server.resources.pool, 'status 503');
  for (let n = 1; n <= 21; n += 1) {
    await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `more-${n}` });
  }
  await endAll(server.resources.pool, null, 20);
  visitor = await enterPortal(server, partner);
});

const linksIn = (page: string): string[] =>
  [...page.matchAll(/href="(\/webhooks\/deliveries\/[^"]+)"/g)].map(([, path = '']) => path);
const failedPage = async () => linksIn((await visitor.get('/webhooks?status=FAILED')).body)[0] ?? '';
const headingOf = (page: string) => /<h1>(?:<bdi>)?([^<]*)/.exec(page)?.[1];

describe('the list of deliveries', () => {
  it('is paged by key: nothing twice, nothing missed, whatever is added meanwhile', async () => {
    const first = await visitor.get();
    const next = /href="(\/webhooks\?cursor=[^"]+)"/.exec(first.body)?.[1] ?? '';
    await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'meanwhile' });
    const second = await visitor.get(next);
    const all = [...linksIn(first.body), ...linksIn(second.body)];
    expect([linksIn(first.body).length, new Set(all).size, all.length]).toEqual([20, 23, 23]);
    expect(first.body).toContain('23 deliveries');
    expect(second.body).toContain('href="/webhooks">Back to the newest');
  });

  it.each([
    ['status=FAILED', 2],
    ['event=wallet.debited', 1],
    ['error=status+5xx', 2],
    ['error=timeout', 0],
    ['status=DELIVERED&event=wallet.debited', 0],
    ['status=&event=&error=&from=&to=', 20],
    ['from=2020-01-01&to=2020-01-02', 0],
    ['to=2020-01-01', 0],
    ['from=2020-01-01', 20],
  ])('finds by %s', async (query, count) => {
    const { statusCode, body } = await visitor.get(`/webhooks?${query}`);
    expect([statusCode, linksIn(body).length]).toEqual([200, count]);
  });

  it.each(['cursor=x', 'status=GONE', 'endpointId=7', 'from=yesterday', 'to=0001-01-01'])(
    '400: a page says that it cannot look for %s',
    async (query) => {
      const { statusCode, body } = await visitor.get(`/webhooks?${query}`);
      expect([statusCode, headingOf(body)]).toEqual([400, 'We cannot look for that']);
      expect(body).toContain('href="/webhooks"');
    },
  );
});

describe('one delivery', () => {
  it('is shown with its attempts, and the body and signatures as they were sent', async () => {
    const path = await failedPage();
    const { body } = await visitor.get(path);
    const api = `/v2/partner/webhook/deliveries/${path.split('/').at(-1)}`;
    const { eventId, attempts } = (await server.call('GET', api, { headers: partner.headers })).json();
    expect(attempts).toHaveLength(1);
    const { rows } = await server.owner.query<{ body: string }>('select body from outbox.event where id = $1', [
      eventId,
    ]);
    const sent = rows[0]?.body ?? '';
    const timestamp = Math.floor(new Date(attempts[0].at).getTime() / 1000);
    const secret = Buffer.from(partner.webhookSecret.replace('whsec_', ''), 'base64');
    const standard = createHmac('sha256', secret).update(`${eventId}.${timestamp}.${sent}`).digest('base64');
    for (const shown of [
      'Attempt 1',
      'status 503',
      sent.replaceAll('"', '&quot;'),
      eventId,
      createHmac('sha512', partner.clientId).update(sent).digest('hex'),
      `<bdi>v1,${standard}</bdi>`,
    ]) {
      expect(body).toContain(shown);
    }
    for (const secretText of [partner.apiKey, partner.webhookSecret, partner.clientId]) {
      expect(body).not.toContain(secretText);
    }
  });

  it('shows the names of the headers of its endpoint, and never what they hold', async () => {
    const headers = { authorization: 'Bearer s3cr3t' };
    const other = (await partnerWithEvents(server)).partner;
    const id = await newEndpoint(server, other, { headers });
    const entered = await enterPortal(server, other);
    const sent = await entered.press(`/webhooks/endpoints/${id}/test`, '/webhooks/endpoints');
    const { body } = await entered.get(String(sent.headers['location']));
    expect(body).toContain('<dt>authorization</dt>');
    expect(body).not.toContain('s3cr3t');
  });

  it('is sent again, once, at the press of a button, and that is in the audit log', async () => {
    const path = await failedPage();
    const answer = await visitor.press(`${path}/resend`, path);
    expect(answer.statusCode).toBe(303);
    const { body } = await visitor.get(String(answer.headers['location']));
    expect(body).toContain('It is sent again');
    expect(body).toContain('Waiting');
    const { rows } = await server.owner.query(
      `select actor, reason from audit.entry where action = 'delivery.resend' and target = $1`,
      [path.split('/').at(-1)],
    );
    expect(rows).toEqual([{ actor: `partner:${partner.id}`, reason: 'asked for on the webhook pages' }]);
  });

  it('404: that there is not; 410: to send again what is not kept any more, of which the record is shown', async () => {
    const unknown = await visitor.get(`/webhooks/deliveries/${NOBODY}`);
    expect([unknown.statusCode, headingOf(unknown.body)]).toEqual([404, 'There is no such delivery']);
    const path = linksIn((await visitor.get('/webhooks?status=FAILED')).body).at(-1) ?? '';
    expect((await visitor.get(path)).body).toContain(`action="${path}/resend"`);
    const before = new Date(Date.now() + 60_000);
    await purgeDeliveries(server.resources, { status: 'FAILED', before, limit: 10 });
    const { statusCode, body } = await visitor.get(path);
    expect([statusCode, body.includes('is not kept any more'), body.includes('/resend')]).toEqual([200, true, false]);
    const answer = await visitor.press(`${path}/resend`);
    expect([answer.statusCode, headingOf(answer.body)]).toEqual([410, 'It cannot be sent again']);
  });
});

describe('the endpoints', () => {
  it('are shown with URL, pause and what waits; each is sent a test event', async () => {
    const id = await newEndpoint(server, partner, { description: 'Books', events: ['wallet.debited'] });
    await callEndpoints(server, partner, 'POST', `/${id}/pause`, { reason: 'we move house' });
    const { body } = await visitor.get('/webhooks/endpoints');
    for (const shown of ['Books', 'http://127.0.0.1:9/other', 'wallet.debited', 'Paused', 'we move house', 'Active']) {
      expect(body).toContain(shown);
    }
    const answer = await visitor.press(`/webhooks/endpoints/${id}/test`, '/webhooks/endpoints');
    const shown = await visitor.get(String(answer.headers['location']));
    expect([shown.statusCode, headingOf(shown.body)]).toEqual([200, 'webhook.test']);
    expect(shown.body).toContain('Not yet');
  });

  it('404: a test of one that there is not; 409: of one without a URL', async () => {
    const unknown = await visitor.press(`/webhooks/endpoints/${NOBODY}/test`);
    expect([unknown.statusCode, headingOf(unknown.body)]).toEqual([404, 'There is no such endpoint']);
    const quiet = await server.newPartner();
    const [{ id }] = (await callEndpoints(server, quiet, 'GET')).json().items;
    const entered = await enterPortal(server, quiet);
    const { body } = await entered.get('/webhooks/endpoints');
    expect([body.includes('kept until it has a URL'), body.includes('Active')]).toEqual([true, false]);
    const answer = await entered.press(`/webhooks/endpoints/${id}/test`);
    expect([answer.statusCode, headingOf(answer.body)]).toEqual([409, 'There is nowhere to send it']);
  });
});

it('a partner to whom nothing was sent is told so, and how to verify what will be', async () => {
  const entered = await enterPortal(server, await server.newPartner());
  expect((await entered.get()).body).toContain('Nothing was sent yet');
  const { body } = await entered.get('/webhooks/verify');
  expect(body).toContain('203.0.113.7');
  expect(body).toContain('href="/docs/webhooks#verify"');
});

it('every page says in a sandbox that it is one, loads nothing and runs nothing', async () => {
  const paths = ['/webhooks', '/webhooks/endpoints', '/webhooks/verify', await failedPage()];
  const open = await server.call('GET', await portalPath(server, partner));
  for (const { body, headers } of [open, ...(await Promise.all(paths.map((path) => visitor.get(path))))]) {
    expect(body).toContain('This is a sandbox');
    expect(body).not.toMatch(/<script|\son\w+=|\ssrc=|javascript:/i);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; img-src 'none'; style-src 'sha256-\S+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  }
});
