import { afterEach, describe, expect, test } from 'vitest';
import { autoPause } from '#modules/webhooks';
import { maintainEachMinute } from '../../../src/worker/each-minute.ts';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { partnerWithDeliveries } from '../../support/deliveries.ts';
import { scrape } from '../../support/scrape.ts';

const server = useApp({ WEBHOOK_AUTO_PAUSE_AFTER_H: '72' });
afterEach(() => server.owner.query('truncate webhooks.breaker'));

/** A partner whose receiver has failed over so many hours, with its breaker open or not. */
async function failing(hours: number, { opened = true } = {}) {
  const partner = await partnerWithDeliveries(server, 2);
  await server.owner.query(
    `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, open_until)
     select id, 20, now() - $2 * interval '1 hour', now(), case when $3 then now() end
       from outbox.receiver where owner_id = $1`,
    [partner.id, hours, opened],
  );
  return partner;
}
const receiverOf = async (ownerId: string) => (await server.operate('GET', `/receivers/${ownerId}`)).json();
const pausesIn = async () => Number(/^paytag_webhook_auto_pauses_total (\d+)$/m.exec(await scrape(server))?.[1]);

describe('a receiver that failed for the configured time', () => {
  test('is paused once, with a reason, an audit entry, a warning and a count; its events are kept until it is resumed', async () => {
    const { id } = await failing(72);
    const before = await pausesIn();
    await maintainEachMinute(server.resources);
    await maintainEachMinute(server.resources);
    expect(await receiverOf(id)).toMatchObject({
      status: 'PAUSED',
      pausedBy: 'SYSTEM',
      pauseReason: expect.stringMatching(/^no delivery has succeeded since \d{4}-/),
      pending: 2,
    });
    expect((await auditOf(server, id)).filter(({ action }) => action === 'receiver.pause')).toMatchObject([
      { actor: 'system', after: { status: 'PAUSED' }, reason: expect.stringContaining('no delivery has succeeded') },
    ]);
    const lines = server.logged.split('\n').filter((line) => line.includes(id) && line.includes('paused'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"level":40');
    expect(await pausesIn()).toBe(before + 1);
    const resumed = await server.operate('POST', `/receivers/${id}/resume`);
    expect(resumed.json()).toMatchObject({ status: 'ACTIVE', pending: 2, breaker: { state: 'CLOSED' } });
    await autoPause(server.resources);
    expect(await receiverOf(id)).toMatchObject({ status: 'ACTIVE' });
  });
});

test.each([
  ['failed for an hour less', () => failing(71)],
  ['failed too seldom to open its breaker', () => failing(100, { opened: false })],
])('one that %s goes on', async (_, given) => {
  const { id } = await given();
  await autoPause(server.resources);
  expect(await receiverOf(id)).toMatchObject({ status: 'ACTIVE' });
});

test('0 hours: no receiver is paused', async () => {
  const { id } = await failing(1_000);
  await autoPause({ ...server.resources, webhooks: { autoPauseAfterH: 0 } });
  expect(await receiverOf(id)).toMatchObject({ status: 'ACTIVE' });
});
