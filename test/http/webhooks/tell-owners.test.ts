import { beforeEach, describe, expect, test } from 'vitest';
import { tellOwners } from '#modules/alerts';
import { pauseReceiver, watchReceivers } from '#modules/webhooks';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { useMailServer } from '../../support/mail-server.ts';

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
  await server.owner.query('truncate webhooks.episode, webhooks.failure, webhooks.breaker, webhooks.delivery cascade');
});

const watch = () => watchReceivers(server.resources);
const tell = () => tellOwners(server.resources);
const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email)).map((one) => one.mail);

/** A partner with two deliveries that wait, who has told us an address. */
async function partnerWithContact() {
  const { partner } = await partnerWithEvents(server);
  const email = `hooks-${++addresses}@partner.example`;
  const set = await server.call('PUT', '/v2/partner/webhook/contact', { headers: partner.headers, payload: { email } });
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
