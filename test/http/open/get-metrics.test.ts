import { describe, expect, it } from 'vitest';
import { claimDeliveries } from '#modules/webhooks';
import { useApp } from '../../support/app.ts';
import { partnerWithDeliveries } from '../../support/deliveries.ts';
import { scrape } from '../../support/scrape.ts';

const server = useApp();

describe('200', () => {
  it('is in the text format of Prometheus, with the defaults of the process', async () => {
    const answer = await server.call('GET', '/metrics');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.body).toMatch(/^process_cpu_seconds_total \d/m);
  });

  it('counts requests by route template and status, and unknown paths as one without a route', async () => {
    const { headers } = await server.newPartner();
    await server.call('GET', '/v2/partner/wallet/PW-somebody', { headers });
    for (const path of ['/planted-a', '/planted-b?token=planted-c']) await server.call('GET', path);
    const text = await scrape(server);
    expect(text).toMatch(
      /^http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/v2\/partner\/wallet\/:reference",http_response_status_code="404"\} 1$/m,
    );
    expect(text).toMatch(
      /^http_server_request_duration_seconds_count\{http_request_method="GET",http_response_status_code="404"\} 2$/m,
    );
    for (const planted of ['PW-somebody', 'planted']) expect(text).not.toContain(planted);
  });

  it('says what waits: due, parked, and which receivers are paused or broken', async () => {
    await server.owner.query('truncate outbox.receiver cascade');
    await partnerWithDeliveries(server, 2);
    const paused = await partnerWithDeliveries(server, 3);
    await server.operate('POST', `/receivers/${paused.id}/pause`, { reason: 'broken' });
    const broken = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
    await server.owner.query(
      `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, open_until)
       select id, 10, now(), now(), now() from outbox.receiver where owner_id = $1`,
      [broken.id],
    );
    const text = await scrape(server);
    expect(text).toMatch(/^paytag_webhook_due 2$/m);
    expect(text).toMatch(/^paytag_webhook_pending 2$/m);
    expect(text).toMatch(/^paytag_webhook_parked 3$/m);
    expect(text).toMatch(/^paytag_webhook_receivers_paused 1$/m);
    expect(text).toMatch(/^paytag_webhook_breakers_open 1$/m);
    expect(text).toMatch(/^paytag_webhook_oldest_due_age_seconds (0|[1-9]\d*)(\.\d+)?(e-\d+)?$/m);
  });

  it('counts what was due when its receiver was paused as parked, and nothing of it as late', async () => {
    await server.owner.query('truncate outbox.receiver cascade');
    const { id } = await partnerWithDeliveries(server, 2);
    await server.operate('POST', `/receivers/${id}/pause`, { reason: 'broken' });
    await server.owner.query(`update webhooks.delivery set due_at = now() - interval '1 day'`);
    const text = await scrape(server);
    expect(text).toMatch(/^paytag_webhook_due 0$/m);
    expect(text).toMatch(/^paytag_webhook_pending 0$/m);
    expect(text).toMatch(/^paytag_webhook_parked 2$/m);
    expect(text).toMatch(/^paytag_webhook_oldest_due_age_seconds 0$/m);
  });

  it('counts as due neither what is being sent, nor what is tried again later, nor what an open breaker holds; all of them are pending', async () => {
    await server.owner.query('truncate outbox.receiver cascade');
    await partnerWithDeliveries(server, 4);
    const limits = { limit: 1, perReceiver: 1, inFlight: new Map(), leaseMs: 3_600_000 };
    expect((await claimDeliveries(server.owner, limits)).claimed).toHaveLength(1);
    await server.owner.query(
      `update webhooks.delivery set due_at = now() + interval '1 hour' where id = (select id from webhooks.delivery order by id desc limit 1)`,
    );
    const some = await scrape(server);
    expect(some).toMatch(/^paytag_webhook_due 2$/m);
    expect(some).toMatch(/^paytag_webhook_pending 4$/m);
    await server.owner.query(
      `insert into webhooks.breaker (receiver_id, failures, failing_since, last_failed_at, open_until)
       select id, 10, now(), now(), now() from outbox.receiver`,
    );
    const none = await scrape(server);
    expect(none).toMatch(/^paytag_webhook_due 0$/m);
    expect(none).toMatch(/^paytag_webhook_pending 4$/m);
  });

  it('answers also when the database cannot say what waits', async () => {
    await server.owner.query('alter table webhooks.breaker rename to hidden');
    const text = await scrape(server);
    await server.owner.query('alter table webhooks.hidden rename to breaker');
    expect(text).toMatch(/^paytag_webhook_due Nan$/im);
    expect(text).toMatch(/^paytag_webhook_pending Nan$/im);
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(await scrape(server)).toMatch(/^paytag_webhook_pending \d+$/m);
  });

  /** What the last scrape could not read. */
  const unread = (text: string): (string | undefined)[] =>
    [...text.matchAll(/^paytag_metrics_unread\{reading="(.+)"\} 1$/gm)].map(([, reading]) => reading);

  it.each([
    ['deliveries', 'webhooks.breaker'],
    ['seals', 'seals.seal'],
    ['suspense', 'ledger.deferred_delta'],
    ['roll-up', 'books.totalled'],
    ['payouts', 'payouts.payout'],
    ['checks', 'integrity.run'],
  ])('says that it could not read %s alone, and that it reads it again', async (reading, table) => {
    const [schema, name] = table.split('.');
    await server.owner.query(`alter table ${table} rename to hidden`);
    const text = await scrape(server);
    await server.owner.query(`alter table ${schema}.hidden rename to ${name}`);
    expect(unread(text)).toEqual([reading]);
    const again = await scrape(server);
    expect(again).toMatch(new RegExp(`^paytag_metrics_unread\\{reading="${reading}"\\} 0$`, 'm'));
    expect(unread(again)).toEqual([]);
  });

  it('reads anew over another connection what a migration changed', async () => {
    await scrape(server);
    await server.owner.query('alter table seals.seal alter column jws type varchar');
    expect(unread(await scrape(server))).toEqual([]);
  });

  it('says that it could not read what takes the database more than two seconds', async () => {
    const locker = await server.owner.connect();
    await locker.query('begin; lock table payouts.payout in access exclusive mode');
    const text = await scrape(server);
    await locker.query('rollback');
    locker.release();
    expect(unread(text)).toEqual(['payouts']);
    expect(text).toMatch(/^paytag_payouts_oldest_unknown_age_seconds nan$/im);
  });
});
