import { beforeEach, describe, expect, test } from 'vitest';
import { sendWebhookAlerts } from '#modules/clients';
import { pauseReceiver, watchReceivers } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { callEndpoints, endAll, newEndpoint, partnerWithEvents } from '../../support/deliveries.ts';
import { useMailServer } from '../../support/mail-server.ts';

describe('the events about endpoints', () => {
  const server = useApp();
  beforeEach(() =>
    server.owner.query(
      'truncate webhooks.episode, webhooks.failure, webhooks.breaker, webhooks.pause, webhooks.delivery cascade',
    ),
  );

  const OF_ENDPOINTS = ['endpoint.paused', 'endpoint.recovered', 'delivery.failed'];
  /** Once to note who is well, and once to do what follows from that. */
  const watch = async () => {
    const deps = { ...server.resources, webhooks: { ...server.resources.webhooks, wellAfterS: 0 } };
    for (let round = 0; round < 2; round++) await watchReceivers(deps);
  };
  const pause = (ownerId: string, by: 'OPERATOR' | 'OWNER' | 'SYSTEM', endpointId?: string) =>
    pauseReceiver(server.resources, { actor: 'test', by, ownerId, endpointId, reason: 'a storm of 500s' });
  const resume = (ownerId: string, endpointId?: string) =>
    server.operate('POST', `/receivers/${ownerId}/resume`, endpointId === undefined ? {} : { endpointId });
  const defaultOf = async (partner: TestPartner): Promise<string> =>
    (await callEndpoints(server, partner, 'GET')).json().items[0].id;

  /** What was told of endpoints, in order: to which one, and the body. */
  async function told(): Promise<{ to: string; event: string; reference: string; data: Record<string, unknown> }[]> {
    const { rows } = await server.owner.query<{ to: string; body: string }>(
      `select d.receiver_id as to, e.body from webhooks.delivery d join outbox.event e on e.id = d.event_id
      where e.event = any ($1) order by d.id`,
      [OF_ENDPOINTS],
    );
    return rows.map(({ to, body }) => ({ to, ...JSON.parse(body) }));
  }
  const namesOf = (all: Awaited<ReturnType<typeof told>>) => all.map(({ to, event }) => [to, event]);

  /** With two events that wait at the default endpoint, and one beside it that asks to be told. */
  async function withListener() {
    const { partner } = await partnerWithEvents(server);
    const listener = await newEndpoint(server, partner, { events: OF_ENDPOINTS });
    return { partner, listener, byDefault: await defaultOf(partner) };
  }

  describe('another endpoint that names these events', () => {
    test('is told once that one was paused, by whom and why, and once that it was resumed', async () => {
      const { partner, listener, byDefault } = await withListener();
      await pause(partner.id, 'OPERATOR');
      await watch();
      await resume(partner.id);
      await watch();
      const [paused, recovered, ...more] = await told();
      expect(paused).toMatchObject({
        to: listener,
        event: 'endpoint.paused',
        data: { EndpointId: byDefault, Host: '127.0.0.1:9', PausedBy: 'OPERATOR', Reason: 'a storm of 500s' },
      });
      expect(recovered).toMatchObject({
        to: listener,
        event: 'endpoint.recovered',
        reference: paused?.reference,
        data: { EndpointId: byDefault, After: 'endpoint.paused', Since: paused?.data['PausedAt'] },
      });
      expect(more).toEqual([]);
    });

    test('is told once of what FAILED, whatever fails after it, and that the endpoint takes its deliveries again', async () => {
      const { partner, listener, byDefault } = await withListener();
      await endAll(server.resources.pool, 'status 503', 1);
      await watch();
      await endAll(server.resources.pool, 'status 503', 1);
      await watch();
      const [failed, ...others] = await told();
      expect(failed).toMatchObject({
        to: listener,
        event: 'delivery.failed',
        data: { EndpointId: byDefault, Event: expect.stringMatching(/^wallet\./), LastError: 'status 503', Failed: 1 },
      });
      const delivery = await server.call(
        'GET',
        `/v2/partner/webhook/deliveries/${String(failed?.data['DeliveryId'])}`,
        {
          headers: partner.headers,
        },
      );
      expect(delivery.json()).toMatchObject({ status: 'FAILED', reference: failed?.data['Reference'] });
      expect(others).toEqual([]);
      await server.owner.query('delete from webhooks.breaker');
      await watch();
      expect(namesOf(await told())).toEqual([
        [listener, 'delivery.failed'],
        [listener, 'endpoint.recovered'],
      ]);
    });

    test('is told by one of several workers that look at once', async () => {
      const { partner, listener } = await withListener();
      await pause(partner.id, 'SYSTEM');
      await Promise.all(Array.from({ length: 4 }, () => watchReceivers(server.resources)));
      expect(namesOf(await told())).toEqual([[listener, 'endpoint.paused']]);
    });

    test('may be the default one, told of another', async () => {
      const { partner, byDefault } = await withListener();
      const books = await newEndpoint(server, partner);
      await callEndpoints(server, partner, 'PATCH', `/${byDefault}`, {
        events: ['wallet.credited', 'endpoint.paused'],
      });
      await pause(partner.id, 'SYSTEM', books);
      await watch();
      expect((await told()).map(({ to }) => to)).toContain(byDefault);
    });
  });

  describe('nothing is told', () => {
    test('to an endpoint that takes all events, to one of another partner, or of an owner’s own pause', async () => {
      const { partner } = await partnerWithEvents(server);
      await newEndpoint(server, partner);
      await newEndpoint(server, partner, { events: ['wallet.credited'] });
      await withListener();
      await pause(partner.id, 'OPERATOR');
      await watch();
      expect(await told()).toEqual([]);
      const { partner: quiet } = await withListener();
      await pause(quiet.id, 'OWNER');
      await watch();
      expect(await told()).toEqual([]);
    });

    test('to the endpoint that it is about, or to one that is paused itself', async () => {
      const { partner, listener } = await withListener();
      await pause(partner.id, 'OPERATOR', listener);
      await watch();
      await pause(partner.id, 'OPERATOR');
      await watch();
      expect(await told()).toEqual([]);
    });

    test('of the failure of what tells of endpoints, or of a test: two endpoints do not tell each other for ever', async () => {
      const { partner, listener } = await withListener();
      const other = await newEndpoint(server, partner, { events: OF_ENDPOINTS });
      await endAll(server.resources.pool, 'status 503');
      await callEndpoints(server, partner, 'POST', `/${listener}/test`);
      for (let round = 0; round < 4; round++) {
        await watch();
        await endAll(server.resources.pool, 'status 503');
      }
      const all = await told();
      expect(all.map(({ event }) => event)).toEqual(['delivery.failed', 'delivery.failed']);
      expect(new Set(all.map(({ to }) => to))).toEqual(new Set([listener, other]));
    });

    test('of an endpoint that was deleted', async () => {
      const { partner } = await withListener();
      const gone = await newEndpoint(server, partner);
      await pause(partner.id, 'OPERATOR', gone);
      await watch();
      await callEndpoints(server, partner, 'DELETE', `/${gone}`);
      await watch();
      expect((await told()).map(({ event }) => event)).toEqual(['endpoint.paused']);
    });
  });
});

describe('messages to owners', () => {
  const mail = useMailServer({ lacksStarttls: true });
  const server = useApp(() => ({
    EMAIL_PROVIDER: 'smtp',
    EMAIL_SMTP_URL: mail.url,
    EMAIL_SMTP_TLS: 'none',
    EMAIL_FROM: 'PayTag <no-reply@paytag.example>',
    WEBHOOK_WELL_AFTER_S: '3600',
  }));
  let addresses = 0;
  beforeEach(async () => {
    mail.refuse();
    await server.owner.query(
      'truncate webhooks.episode, webhooks.failure, webhooks.breaker, webhooks.delivery cascade',
    );
  });

  const watch = () => watchReceivers(server.resources);
  const tell = () => sendWebhookAlerts(server.resources);
  const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email)).map((one) => one.mail);

  /** A partner with two deliveries that wait, who has told us an address. */
  async function partnerWithContact() {
    const { partner } = await partnerWithEvents(server);
    const email = `hooks-${++addresses}@partner.example`;
    const set = await server.call('PUT', '/v2/partner/webhook/contact', {
      headers: partner.headers,
      payload: { email },
    });
    expect([set.statusCode, set.json()]).toEqual([200, { email }]);
    return { ...partner, email };
  }
  const receiverOf = async (ownerId: string) =>
    (await server.owner.query<{ id: string }>('select id from outbox.receiver where owner_id = $1', [ownerId])).rows[0]
      ?.id;

  const troubles: Record<string, (ownerId: string) => Promise<unknown>> = {
    'Your webhooks fail': async (ownerId) =>
      server.owner.query(
        `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, open_until)
       values ($1, 10, now(), now(), now() + interval '1 minute')`,
        [await receiverOf(ownerId)],
      ),
    'Your webhooks are paused': (ownerId) =>
      pauseReceiver(server.resources, { actor: 'operator', by: 'OPERATOR', ownerId, reason: 'a storm of 500s' }),
    'Webhooks were not delivered': () => endAll(server.resources.pool, 'status 503'),
    'Your webhooks are more than an hour late': () =>
      server.owner.query(`update webhooks.delivery set due_at = due_at - interval '61 minutes'`),
  };

  describe('the contact of a partner', () => {
    test.each(Object.entries(troubles))('is mailed once: %s', async (subject, trouble) => {
      const partner = await partnerWithContact();
      await trouble(partner.id);
      for (let round = 0; round < 3; round++) {
        await watch();
        await Promise.all([tell(), tell()]);
      }
      const mails = mailsTo(partner.email);
      expect(mails.map((one) => one.subject)).toEqual([`PayTag: ${subject}`]);
      expect(mails[0]?.text).toMatch(/127\.0\.0\.1:9/);
      expect(mails[0]?.text).toMatch(/Since: \d{4}-.*What to do: .*\/docs\/webhooks/s);
      expect(mails[0]?.text).not.toContain('/hooks\n');
    });

    test('is told of another episode, and not of what its partner paused itself', async () => {
      const partner = await partnerWithContact();
      const pause = (by: 'OPERATOR' | 'OWNER') =>
        pauseReceiver(server.resources, { actor: by, by, ownerId: partner.id, reason: 'a move' });
      const round = async () => {
        await watch();
        await tell();
      };
      await pause('OWNER');
      await round();
      expect(mailsTo(partner.email)).toEqual([]);
      for (let times = 1; times <= 2; times++) {
        await pause('OPERATOR');
        await round();
        expect(mailsTo(partner.email)).toHaveLength(times);
        await server.operate('POST', `/receivers/${partner.id}/resume`);
        await round(); // notes that it is well, and ends it
      }
    });

    test('is told later while the mail server takes nothing, and no more once it was', async () => {
      const partner = await partnerWithContact();
      await troubles['Webhooks were not delivered']?.(partner.id);
      mail.refuse('MAIL', 451);
      await watch();
      await tell();
      mail.refuse();
      await tell();
      expect(mailsTo(partner.email)).toEqual([]);
      const makeDue = () => server.owner.query(`update webhooks.episode set tell_at = now() where tell_at is not null`);
      for (let round = 0; round < 2; round++) {
        await makeDue();
        await tell();
      }
      expect(mailsTo(partner.email)).toHaveLength(1);
    });

    test('is told by nobody else what a process has begun to tell, though nothing was heard of that yet', async () => {
      const partner = await partnerWithContact();
      await troubles['Webhooks were not delivered']?.(partner.id);
      await watch();
      const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      mail.meanwhile(() => {
        reach(undefined);
        return released;
      });
      const first = tell();
      await reached;
      await tell();
      mail.meanwhile();
      release(undefined);
      await first;
      await tell();
      expect(mailsTo(partner.email)).toHaveLength(1);
    });

    test('that is taken away is told nothing', async () => {
      const partner = await partnerWithContact();
      const { headers, id } = partner;
      const gone = await server.call('PUT', '/v2/partner/webhook/contact', { headers, payload: { email: null } });
      expect(gone.json()).toEqual({});
      await troubles['Webhooks were not delivered']?.(id);
      await watch();
      await tell();
      expect(mailsTo(partner.email)).toEqual([]);
    });
  });

  test('whoever registered an application is mailed', async () => {
    const email = 'shop@applications.example';
    const application = await newApplication(server, 'Shop', { email, webhookUrl: 'http://127.0.0.1:9/hooks' });
    await troubles['Your webhooks fail']?.(application.applicationId);
    await watch();
    await tell();
    expect(mailsTo(email).map((one) => one.subject)).toEqual(['PayTag: Your webhooks fail']);
  });

  test('an operator sets, sees and takes away the contact of a partner, whose address no audit entry holds', async () => {
    const given = { name: 'Acme', redirectUrl: 'https://acme.example/back', contactEmail: 'ops@acme.example' };
    const created = (await server.operate('POST', '/partners', given)).json();
    expect(created).toMatchObject({ contactEmail: 'ops@acme.example' });
    const change = async (contactEmail: string | null) =>
      (await server.operate('PATCH', `/partners/${created.id}`, { contactEmail, reason: 'asked for' })).json();
    expect(await change('hooks@acme.example')).toMatchObject({ contactEmail: 'hooks@acme.example' });
    expect(await change(null)).not.toHaveProperty('contactEmail');
    const { rows } = await server.owner.query(`select string_agg(t::text, '') as text from audit.entry t`);
    expect(rows[0].text).not.toContain('@acme.example');
    expect(rows[0].text).toContain('hasContact');
  });
});
