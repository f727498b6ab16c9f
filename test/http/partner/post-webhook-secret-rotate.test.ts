import { describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { seeWebhook, TARGET } from '../../support/deliveries.ts';

const server = useSharedApp();
const url = '/v2/partner/webhook/secret/rotate';

const rotate = ({ headers }: TestPartner, payload?: object) =>
  server.call('POST', url, { headers, ...(payload && { payload }) });
const secretOf = async (partner: TestPartner) => (await seeWebhook(server, partner)).json().secret;

describe('200', () => {
  it('a new secret, shown once; later only its dates, and other partners’ secrets stay', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const other = await server.newPartner({ webhookUrl: TARGET });
    const theirs = await secretOf(other);
    const answer = await rotate(partner);
    expect(answer.statusCode).toBe(200);
    const { webhookSecret, previousUntil } = answer.json();
    expect(webhookSecret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(webhookSecret).not.toBe(partner.webhookSecret);
    const facts = await secretOf(partner);
    expect(facts.previousUntil).toBe(previousUntil);
    expect(Date.parse(previousUntil) - Date.parse(facts.since)).toBe(24 * 3_600_000);
    expect(await secretOf(other)).toEqual(theirs);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'webhook.secret.rotate',
    });
  });

  it('at once, with nothing left of the one before', async () => {
    const partner = await server.newPartner();
    await rotate(partner);
    const answer = await rotate(partner, { immediately: true });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('previousUntil');
    expect(await secretOf(partner)).not.toHaveProperty('previousUntil');
  });
});
