import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { seeWebhook, TARGET } from '../../support/deliveries.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useSharedApp();

const put = ({ headers }: TestPartner, payload: object) =>
  server.call('PUT', '/v2/partner/webhook', { headers, payload });
const see = async (partner: TestPartner) => (await seeWebhook(server, partner)).json();

async function dueOf({ id }: TestPartner) {
  const { rows } = await server.owner.query(
    'select d.due_at from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id where r.owner_id = $1',
    [id],
  );
  return rows;
}

describe('200', () => {
  it('sends its events elsewhere, waiting ones included, leaves others’ alone, and is in the audit log', async () => {
    const { partner } = await fundedWallet(server, 5);
    const other = await server.newPartner();
    expect(await dueOf(partner)).toEqual([{ due_at: null }]);
    const answer = await put(partner, { url: TARGET });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(await see(partner));
    expect(answer.json().url).toBe(TARGET);
    expect(await dueOf(partner)).toEqual([{ due_at: expect.any(Date) }]);
    expect(await see(other)).not.toHaveProperty('url');
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'webhook.url',
      before: { webhookUrl: null },
      after: { webhookUrl: TARGET },
    });
  });

  it.each([null, ''])('%j keeps events until there is one again', async (url) => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    expect((await put(partner, { url })).statusCode).toBe(200);
    expect(await see(partner)).not.toHaveProperty('url');
  });
});

describe('400', () => {
  it.each([
    ['no url', {}, 'INVALID_PARAMETER', 'url: '],
    ['a number', { url: 7 }, 'INVALID_PARAMETER', 'url: '],
    ['no URL', { url: 'acme' }, 'INVALID_PARAMETER', 'url: must be an http or https URL'],
    ['another scheme', { url: 'ftp://acme.example/' }, 'INVALID_PARAMETER', 'url: must be an http or https URL'],
    ['userinfo', { url: 'https://a:b@acme.example/' }, 'INVALID_PARAMETER', 'url: must not hold a user name'],
    ['an odd port', { url: 'https://acme.example:25/' }, 'WEBHOOK_TARGET_REFUSED', 'must use port 443'],
    ['a private address', { url: 'https://10.0.0.1/hooks' }, 'WEBHOOK_TARGET_REFUSED', 'public internet address'],
    ['a metadata address', { url: 'http://169.254.169.254/' }, 'WEBHOOK_TARGET_REFUSED', 'public internet address'],
    ['a mapped address', { url: 'https://[::ffff:a00:1]/' }, 'WEBHOOK_TARGET_REFUSED', 'public internet address'],
  ])('%s, with the reason, and the one before stays', async (_, body, errorCode, reason) => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await put(partner, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errorCode).toBe(errorCode);
    expect(answer.json().message + answer.json().errors).toContain(reason);
    expect((await see(partner)).url).toBe(TARGET);
  });
});
