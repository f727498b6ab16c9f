import { describe, expect, it } from 'vitest';
import { metricList } from '#lib/meter.ts';
import { addUpDays } from '#modules/ledger';
import { sendPayouts } from '#modules/payouts';
import { autoPause, claimDeliveries } from '#modules/webhooks';
import { type RunningWorker, startWorker } from '../../../src/worker/start-worker.ts';
import { useApp } from '../../support/app.ts';
import { partnerWithDeliveries } from '../../support/deliveries.ts';
import { eventually } from '../../support/eventually.ts';
import { logIn, newCustomer } from '../../support/onboarding.ts';
import { ACCOUNT, scriptedProvider, unknownPayout } from '../../support/payouts.ts';
import { useReceiver } from '../../support/receiver.ts';
import { scrape } from '../../support/served.ts';
import { kycWallet, moveMoney, waitingPayment } from '../../support/wallets.ts';

describe('GET /metrics', () => {
  const server = useApp();

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

describe('each metric', () => {
  const receiver = useReceiver();
  const server = useApp({ RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M: '1', WEBHOOK_AUTO_PAUSE_AFTER_H: '1' });

  /** The sum of the series of a name whose labels hold all of these. */
  function valueOf(text: string, series: string): number {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
    const wanted = labels.split(',').filter(Boolean);
    const found = text
      .split('\n')
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .filter((line) => wanted.every((label) => line.includes(label)));
    return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** By how much each series changed while something happened. */
  async function changesBy(happens: () => Promise<unknown>, names: readonly string[]): Promise<Record<string, number>> {
    const before = await scrape(server);
    await happens();
    const after = await scrape(server);
    return Object.fromEntries(names.map((name) => [name, valueOf(after, name) - valueOf(before, name)]));
  }

  /** Asserts by how much each series changes when something happens. */
  async function expectChanges(happens: () => Promise<unknown>, by: Record<string, number>): Promise<void> {
    expect(await changesBy(happens, Object.keys(by))).toEqual(by);
  }

  it('every metric of the list is exposed by its name, its kind and what it says', async () => {
    const text = await scrape(server);
    for (const [name, { kind, help }] of Object.entries(metricList)) {
      expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`);
    }
    expect(text).toMatch(/^paytag_build_info\{version="\d.*",node="\d.*",environment="sandbox",role="all"\} 1$/m);
    expect(valueOf(text, 'db_client_connection_max{pool_name="paytag"}')).toBe(8);
    expect(valueOf(text, 'nodejs_eventloop_utilization_ratio')).toBeLessThanOrEqual(1);
  });

  it('money, logins, codes, limits, payouts, suspense and checks move their metrics when they happen', async () => {
    const partner = await server.newPartner({ float: 1000 });
    const wallet = await kycWallet(server, partner);
    const credit = () => moveMoney(server, partner, wallet, 'credit', { amount: 5, reference: 'once' });
    const posted = 'paytag_ledger_postings_total{type="PARTNER_WALLET_CREDIT",outcome="posted"}';
    const replayed = 'paytag_ledger_postings_total{type="PARTNER_WALLET_CREDIT",outcome="replayed"}';
    const amount = 'paytag_ledger_posted_amount_total{type="PARTNER_WALLET_CREDIT",currency="NGN"}';
    const route = 'http_server_request_duration_seconds_count{http_route="/v2/partner/wallet/:reference/credit"}';
    const batches = 'paytag_ledger_batch_size_count{function="ledger.post"}';
    await expectChanges(credit, { [posted]: 1, [replayed]: 0, [amount]: 5, [route]: 1, [batches]: 1 });
    await expectChanges(credit, { [posted]: 0, [replayed]: 1, [amount]: 0, [route]: 1 });
    await expectChanges(() => moveMoney(server, partner, wallet, 'debit', { amount: 500, reference: 'too-much' }), {
      'paytag_ledger_postings_total{type="PARTNER_WALLET_DEBIT",outcome="INSUFFICIENT_FUNDS"}': 1,
      paytag_ledger_posted_amount_total: 0,
    });

    const payOut = (asked: number) =>
      server.call('POST', `/v2/partner/wallet/${wallet}/payout`, {
        headers: partner.headers,
        payload: { amount: asked, reference: `out-${asked}`, accountNumber: '0123456789', bankCode: '058' },
      });
    await expectChanges(() => payOut(2), {
      'paytag_ledger_postings_total{type="PAYOUT",outcome="pending"}': 1,
      'paytag_ledger_posted_amount_total{type="PAYOUT",currency="NGN"}': 2,
    });
    await expectChanges(() => payOut(500), {
      'paytag_ledger_postings_total{type="PAYOUT",outcome="INSUFFICIENT_FUNDS"}': 1,
    });

    const person = await newCustomer(server, partner);
    await expectChanges(() => logIn(server, partner, person.paytag), { 'paytag_logins_total{outcome="ok"}': 1 });
    await expectChanges(() => logIn(server, partner, person.paytag, 'not-this-one-1'), {
      'paytag_logins_total{outcome="wrong"}': 1,
      'paytag_security_events_total{event="login_failed"}': 1,
    });
    await expectChanges(() => newCustomer(server, partner), {
      'paytag_otp_sent_total{channel="sms",outcome="sent"}': 1,
      'paytag_otp_checked_total{outcome="right"}': 1,
      'paytag_provider_call_duration_seconds_count{service="bvn",provider="simulator",outcome="ok"}': 1,
      'paytag_provider_call_duration_seconds_count{service="messaging",outcome="ok"}': 1,
    });

    const guess = () =>
      server.call('GET', '/operator/v1/partners', { headers: { authorization: `Bearer ${'wrong'.repeat(8)}` } });
    await expectChanges(async () => [await guess(), await guess(), await guess()], { paytag_throttled_total: 2 });

    const { headers } = partner;
    const payout = { ...ACCOUNT, amount: 2, reference: 'p1' };
    await expectChanges(
      () => server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers, payload: payout }),
      {
        'paytag_payouts_open{state="PENDING"}': 1,
      },
    );
    await expectChanges(() => waitingPayment(server, partner, 7), {
      'paytag_ledger_suspense_items{currency="NGN"}': 1,
      'paytag_ledger_suspense_amount{currency="NGN"}': 7,
      'paytag_ledger_postings_total{type="INBOUND",outcome="pending"}': 1,
    });
    await server.operate('GET', '/ledger/check');
    const text = await scrape(server);
    expect(valueOf(text, 'paytag_integrity_last_success_timestamp_seconds{kind="whole"}')).toBeGreaterThan(1e9);
    expect(valueOf(text, 'paytag_integrity_violations')).toBe(0);
  });

  it('the database moves its metrics: statements by what they do, errors by class, waits, and who waits for a connection', async () => {
    const failing = () => server.resources.pool.query('insert into nowhere.nothing values (1)').catch(() => undefined);
    const waits = 'db_client_connection_wait_time_seconds_count{pool_name="paytag"}';
    const before = valueOf(await scrape(server), waits);
    await expectChanges(failing, {
      'db_client_operation_duration_seconds_count{db_operation_name="INSERT",error_type="42"}': 1,
    });
    // The database's clock takes a connection every few seconds too.
    expect(valueOf(await scrape(server), waits)).toBeGreaterThan(before);
    const holding = await Promise.all(Array.from({ length: 8 }, () => server.resources.pool.connect()));
    const waiting = server.resources.pool.query('select 1');
    const text = await scrape(server);
    for (const client of holding) client.release();
    await waiting;
    expect(valueOf(text, 'db_client_connection_pending_requests{pool_name="paytag"}')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'db_client_connection_count{pool_name="paytag",state="used"}')).toBeGreaterThanOrEqual(8);
  });

  it('a delivery is due from what it tells of until a worker takes it, and pending until it has arrived', async () => {
    const answered = Promise.withResolvers<number>();
    receiver.answer(() => answered.promise);
    const partner = await server.newPartner({ float: 10, webhookUrl: receiver.url });
    const wallet = await kycWallet(server, partner);
    const [due, pending] = ['paytag_webhook_due', 'paytag_webhook_pending'];
    const credit = () => moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'due' });
    await expectChanges(credit, { [due]: 1, [pending]: 1 });
    let worker: RunningWorker | undefined;
    const take = async () => {
      worker = startWorker(server.resources);
      await eventually(() => expect(receiver.requests).toHaveLength(1));
    };
    await expectChanges(take, { [due]: -1, [pending]: 0 });
    const arrive = async () => {
      answered.resolve(200);
      await worker?.close();
    };
    await expectChanges(arrive, { [due]: 0, [pending]: -1 });
    receiver.reset();
  });

  it('a worker moves its metrics: attempts by outcome, deliveries, wake-ups and tasks; no label holds what comes from outside', async () => {
    receiver.answer([500]);
    const partner = await server.newPartner({ float: 10, webhookUrl: `${receiver.url}?key=planted` });
    const wallet = await kycWallet(server, partner);
    const worker = startWorker(server.resources);
    try {
      const deliver = async () => {
        await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: 'told' });
        await eventually(() => Promise.resolve(expect(receiver.accepted.length).toBeGreaterThan(0)));
        await eventually(async () =>
          expect(valueOf(await scrape(server), 'paytag_task_runs_total')).toBeGreaterThan(1),
        );
      };
      const delivered = 'paytag_webhook_attempts_total{outcome="delivered"}';
      const failed = 'paytag_webhook_attempts_total{outcome="status_5xx"}';
      const seconds = 'paytag_webhook_delivery_duration_seconds_count';
      await expectChanges(deliver, { [delivered]: 1, [failed]: 1, [seconds]: 1 });
    } finally {
      await worker.close();
    }
    await expectChanges(() => server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'broken' }), {
      paytag_webhook_receivers_paused: 1,
    });
    const text = await scrape(server);
    expect(valueOf(text, 'paytag_queue_wake_ups_total{outcome="sent"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'paytag_task_last_success_timestamp_seconds{task="carrying payouts"}')).toBeGreaterThan(1e9);
    const outside = [partner.id, partner.clientId, wallet, 'planted', '127.0.0.1', '+234'];
    expect(outside.filter((word) => text.includes(word))).toEqual([]);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/);
  });

  it('a receiver that fails and fails moves the breakers that opened, and when it has failed for its time, the pauses', async () => {
    receiver.answer(() => 500);
    const partner = await server.newPartner({ float: 20, webhookUrl: receiver.url });
    const wallet = await kycWallet(server, partner);
    const opened = async () => valueOf(await scrape(server), 'paytag_webhook_breakers_opened_total');
    const before = await opened();
    const failing = async () => {
      const worker = startWorker(server.resources);
      for (let at = 0; at < 10; at++)
        await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `fails-${at}` });
      await eventually(async () => expect(await opened()).toBeGreaterThan(before));
      await worker.close();
    };
    await expectChanges(failing, { paytag_webhook_breakers_open: 1 });
    await server.owner.query(`update webhooks.breaker set failing_since = now() - interval '61 minutes'`);
    await expectChanges(() => autoPause(server.resources), {
      paytag_webhook_auto_pauses_total: 1,
      paytag_webhook_receivers_paused: 1,
    });
  });

  it('a payout that nobody knows the end of ages until its end is known; the days of the books lag until they are added up', async () => {
    const ageOf = async (name: string) => valueOf(await scrape(server), name);
    const unknown = 'paytag_payouts_oldest_unknown_age_seconds';
    expect(await ageOf(unknown)).toBe(0);
    await unknownPayout(server);
    await server.owner.query(`update payouts.payout set sent_at = now() - interval '1 hour' where state = 'UNKNOWN'`);
    const young = await ageOf(unknown);
    expect(young).toBeGreaterThanOrEqual(3_600);
    expect(await ageOf(unknown)).toBeGreaterThan(young);
    server.clock.advance(86_400_000);
    await sendPayouts({ ...server.resources, payoutProvider: scriptedProvider().provider });
    expect(await ageOf(unknown)).toBe(0);

    const lag = 'paytag_ledger_roll_up_lag_seconds';
    await server.owner.query(`update books.totalled set until = clock_timestamp() - interval '1 hour'`);
    const behind = await ageOf(lag);
    expect(behind).toBeGreaterThanOrEqual(3_600);
    expect(await ageOf(lag)).toBeGreaterThan(behind);
    await addUpDays(server.resources);
    expect(await ageOf(lag)).toBeLessThan(behind);
  });
});
