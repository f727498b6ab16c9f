import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { TARGET } from '../../support/deliveries.ts';
import { newSide, offer } from '../../support/switch.ts';

const server = useSharedApp();
const url = '/api/v1/applications/webhook';
const put = ({ headers }: Pick<TestApplication, 'headers'>, payload: object) =>
  server.call('PUT', url, { headers, payload });
const see = async ({ headers }: TestApplication) => (await server.call('GET', url, { headers })).json().data;

async function dueOf({ applicationId }: TestApplication) {
  const { rows } = await server.owner.query(
    'select d.due_at from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id where r.owner_id = $1',
    [applicationId],
  );
  return rows;
}

describe('200', () => {
  it('sends its events there, waiting ones included, leaves others’ alone, and is in the audit log', async () => {
    const [shop, cabs] = [await newSide(server, 'Shop'), await newSide(server, 'Cabs')];
    await offer(server, shop, cabs);
    expect(await dueOf(cabs)).toEqual([{ due_at: null }]);
    const answer = await put(cabs, { url: TARGET });
    expect([answer.statusCode, answer.json().data]).toEqual([200, await see(cabs)]);
    expect(answer.json().data.url).toBe(TARGET);
    expect(await dueOf(cabs)).toEqual([{ due_at: expect.any(Date) }]);
    expect(await see(shop)).not.toHaveProperty('url');
    expect((await auditOf(server, cabs.applicationId)).at(-1)).toMatchObject({
      actor: `application:${cabs.applicationId}`,
      action: 'webhook.url',
      before: { webhookUrl: null },
      after: { webhookUrl: TARGET },
    });
  });

  it.each([null, ''])('%j keeps events until there is one again', async (none) => {
    const shop = await newApplication(server, 'Shop', { webhookUrl: TARGET });
    expect((await put(shop, { url: none })).statusCode).toBe(200);
    expect(await see(shop)).not.toHaveProperty('url');
  });
});

describe('400', () => {
  it.each([
    ['no url', {}, 'INVALID_PARAMETER'],
    ['another scheme', { url: 'ftp://shop.example/' }, 'INVALID_PARAMETER'],
    ['a private address', { url: 'https://10.0.0.1/hooks' }, 'WEBHOOK_TARGET_REFUSED'],
  ])('%s, and the one before stays', async (_, payload, errorCode) => {
    const shop = await newApplication(server, 'Shop', { webhookUrl: TARGET });
    const answer = await put(shop, payload);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([400, errorCode]);
    expect((await see(shop)).url).toBe(TARGET);
  });
});
