/**
 * What a label may say: one of these words, or a word that stands in our code, such as a route template. Never an id, a
 * name, an address or anything else that comes from outside: the number of series stays bounded, and none holds a secret.
 */
export type LabelWords = readonly string[] | 'word of ours';

interface Described<L> {
  /** What is measured: in `# HELP` of the scrape, and in the guide. */
  readonly help: string;
  readonly labels: L;
}
export interface CounterDefinition<L = Labels> extends Described<L> {
  readonly kind: 'counter';
}
export interface HistogramDefinition<L = Labels> extends Described<L> {
  readonly kind: 'histogram';
  readonly buckets: readonly number[];
}
export interface GaugeDefinition<L = Labels> extends Described<L> {
  readonly kind: 'gauge';
}
export type MetricDefinition = CounterDefinition | HistogramDefinition | GaugeDefinition;

type Labels = Readonly<Record<string, LabelWords>>;
type NoLabels = Readonly<Record<string, never>>;

/** A count that only grows. Its name ends with `_total`. */
const counter = <const L extends Labels = NoLabels>(help: string, labels: L = {} as L): CounterDefinition<L> => ({
  kind: 'counter',
  help,
  labels,
});

/** A distribution of durations or sizes. */
const histogram = <const L extends Labels = NoLabels>(
  help: string,
  buckets: readonly number[],
  labels: L = {} as L,
): HistogramDefinition<L> => ({ kind: 'histogram', help, labels, buckets });

/** A current value. */
const gauge = <const L extends Labels = NoLabels>(help: string, labels: L = {} as L): GaugeDefinition<L> => ({
  kind: 'gauge',
  help,
  labels,
});

/** The bounds that OpenTelemetry advises for durations of requests, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** As above, for what is mostly quicker. */
const STATEMENT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10];

/** Requests and the database, by OpenTelemetry's semantic conventions where they have a name. */
export const requestMetrics = {
  http_server_request_duration_seconds: histogram(
    'Duration of requests. Without a route: nothing is at the path',
    REQUEST_SECONDS,
    {
      http_request_method: 'word of ours',
      http_route: 'word of ours',
      http_response_status_code: 'word of ours',
    },
  ),
  http_server_active_requests: gauge('Requests under way'),
  paytag_requests_refused_total: counter(
    'Requests that could not be answered in time: 503, and nothing of them was done',
  ),
  paytag_throttled_total: counter('Refusals because a limit was used up, by what it counts', {
    limit: 'word of ours',
  }),
  paytag_security_events_total: counter('Security events, by name', { event: 'word of ours' }),

  db_client_connection_count: gauge('Connections to PostgreSQL', {
    db_client_connection_pool_name: 'word of ours',
    db_client_connection_state: ['used', 'idle'],
  }),
  db_client_connection_max: gauge('The most connections that there may be', {
    db_client_connection_pool_name: 'word of ours',
  }),
  db_client_connection_pending_requests: gauge('Who waits for a connection', {
    db_client_connection_pool_name: 'word of ours',
  }),
  db_client_connection_wait_time_seconds: histogram('How long a connection was waited for', STATEMENT_SECONDS, {
    db_client_connection_pool_name: 'word of ours',
  }),
  db_client_operation_duration_seconds: histogram(
    'Duration of statements; of one that failed with the class of its SQLSTATE, or with what became of the connection',
    STATEMENT_SECONDS,
    { db_operation_name: 'word of ours', error_type: 'word of ours' },
  ),
} as const;

/** Money and the books. */
export const moneyMetrics = {
  paytag_ledger_postings_total: counter(
    'Movements of money that were asked for, by type and outcome: posted, pending (in suspense, or the money of a payout held), replayed (its reference had been posted before), or why it was refused',
    { type: 'word of ours', outcome: 'word of ours' },
  ),
  paytag_ledger_posted_amount_total: counter('What was moved, in whole units of its currency', {
    type: 'word of ours',
    currency: ['NGN', 'FP'],
  }),
  paytag_ledger_batch_size: histogram('Movements that shared one call of the database', [1, 2, 4, 8, 16, 32, 64, 128], {
    function: 'word of ours',
  }),
  paytag_ledger_deferred_movements: gauge('Movements that wait to be added to the balances of our own accounts'),
  paytag_ledger_roll_up_lag_seconds: gauge('Age of the last moment up to which the days of the books are added up'),
  paytag_ledger_suspense_amount: gauge('Money that cannot be credited yet, in whole units of its currency', {
    currency: ['NGN', 'FP'],
  }),
  paytag_ledger_suspense_items: gauge('Payments that wait in suspense', { currency: ['NGN', 'FP'] }),
  paytag_ledger_suspense_oldest_age_seconds: gauge('How long the oldest of them waits'),
  paytag_ledger_last_seal: gauge('Number of the last seal of the books'),
  paytag_ledger_sealed_until_timestamp_seconds: gauge(
    'End of the last hour of the books that is sealed; before the first, when this was installed',
  ),
  paytag_payouts_open: gauge('Payouts that have no end yet, by state', { state: ['PENDING', 'SENT', 'UNKNOWN'] }),
  paytag_payouts_oldest_unknown_age_seconds: gauge(
    'How long ago the oldest payout began of which the provider does not say what became of it',
  ),
  paytag_inbox_unreadable_messages: gauge(
    'Messages of providers that are not as documented, and that no operator has looked at',
  ),
  paytag_integrity_violations: gauge(
    'Rows that break an invariant, as the last check of everything or one since has found',
    { invariant: 'word of ours' },
  ),
  paytag_integrity_unfinished: gauge(
    '1 where the last check of everything, or one since, could not tell an invariant to its end',
    { invariant: 'word of ours' },
  ),
  paytag_integrity_last_success_timestamp_seconds: gauge(
    'When a check last ended that told every invariant and found none broken, of everything (whole) and of what is new (recent); before the first, when this was installed',
    { kind: ['whole', 'recent'] },
  ),
  paytag_integrity_duration_seconds: gauge('How long the last check took, by kind', { kind: ['whole', 'recent'] }),
} as const;

/** Actions of people, and the providers behind them. */
export const peopleMetrics = {
  paytag_logins_total: counter(
    'Logins of customers at partners: ok, wrong (PayTag or password), or throttled, which is also a right password while guesses are slowed',
    { outcome: ['ok', 'wrong', 'throttled'] },
  ),
  paytag_otp_sent_total: counter('One-time passwords: sent, unconfirmed (the provider did not say), or failed', {
    channel: ['sms', 'whatsapp', 'email'],
    outcome: ['sent', 'unconfirmed', 'failed'],
  }),
  paytag_otp_checked_total: counter('One-time passwords that somebody gave', {
    outcome: ['right', 'wrong', 'expired', 'throttled'],
  }),
  paytag_provider_call_duration_seconds: histogram(
    'Calls of providers: ok, refused (it answered, and did not do it), or down (no answer, or none that can be used)',
    REQUEST_SECONDS,
    {
      service: ['bvn', 'bank', 'messaging', 'email', 'payout', 'inbound', 'rail'],
      provider: 'word of ours',
      outcome: ['ok', 'refused', 'down'],
    },
  ),
  paytag_provider_up: gauge('0 when the last call of a provider by this process found it down, otherwise 1', {
    service: ['bvn', 'bank', 'messaging', 'email', 'payout', 'inbound', 'rail'],
    provider: 'word of ours',
  }),
} as const;

/** Up to an hour: the fifth and last attempt is about 43 minutes after the first. */
const DELIVERY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600, 1800, 3600];

/** Background work: webhooks, the queue of wake-ups, and periodic tasks. */
export const backgroundMetrics = {
  paytag_webhook_attempts_total: counter('Webhook attempts, by outcome', {
    outcome: [
      'delivered',
      'timeout',
      'dns',
      'refused',
      'unreachable',
      'reset',
      'tls',
      'blocked',
      'status_2xx',
      'status_3xx',
      'status_4xx',
      'status_5xx',
      'status_other',
      'other',
    ],
  }),
  paytag_webhook_delivery_duration_seconds: histogram(
    'Time from the commit of an event to its delivery',
    DELIVERY_SECONDS,
  ),
  paytag_webhook_deliveries_failed_total: counter('Deliveries whose last attempt failed'),
  paytag_webhook_breakers_opened_total: counter('Circuit breakers of receivers that opened'),
  paytag_webhook_auto_pauses_total: counter('Receivers paused because they failed for too long'),
  paytag_webhook_oldest_due_age_seconds: gauge(
    'How long the oldest due delivery has waited, without those held by an open breaker',
  ),
  paytag_webhook_due: gauge(
    'Deliveries that are due now, without those held by an open breaker; some that are being sent may be among them',
  ),
  paytag_webhook_pending: gauge('Deliveries that are due now or later'),
  paytag_webhook_parked: gauge('Deliveries held for receivers that are paused or have no URL'),
  paytag_webhook_receivers_paused: gauge('Receivers that are paused'),
  paytag_webhook_breakers_open: gauge('Receivers whose breaker is open or half open'),
  paytag_queue_wake_ups_total: counter('Wake-ups of who sends webhooks: sent, failed to be sent, or received', {
    outcome: ['sent', 'failed', 'received'],
  }),
  paytag_task_runs_total: counter('Runs of the tasks of a worker, by task', {
    task: 'word of ours',
    outcome: ['ok', 'failed'],
  }),
  paytag_task_duration_seconds: histogram('How long they took', REQUEST_SECONDS, { task: 'word of ours' }),
  paytag_task_steps_failed_total: counter('Parts of a task that failed, while the others went on', {
    step: 'word of ours',
  }),
  paytag_forgotten_rows_total: counter('Rows that went, or were emptied, because they are kept no longer', {
    table: 'word of ours',
  }),
  paytag_task_last_success_timestamp_seconds: gauge('When a task of this process last ended well', {
    task: 'word of ours',
  }),
} as const;

/** The process itself. */
export const processMetrics = {
  paytag_build_info: gauge('1, for each process: what it is', {
    version: 'word of ours',
    node: 'word of ours',
    environment: ['sandbox', 'staging', 'live'],
    role: ['all', 'api', 'worker'],
  }),
  paytag_clock_ahead_seconds: gauge(
    'How far the clock of this machine is ahead of the database’s, which counts; negative: behind',
  ),
  paytag_data_key_sealed: gauge('Values that the data key which seals now has sealed'),
  paytag_metrics_unread: gauge('1 where the last scrape could not read this from the database, otherwise 0', {
    reading: ['deliveries', 'seals', 'suspense', 'roll-up', 'payouts', 'inbox', 'checks'],
  }),
  nodejs_eventloop_delay_p50_seconds: gauge(
    'How late the event loop was since the last scrape, in half of the moments',
  ),
  nodejs_eventloop_delay_p99_seconds: gauge('As above, in all but one of a hundred moments'),
  nodejs_eventloop_delay_max_seconds: gauge('As above, at its worst'),
  nodejs_eventloop_utilization_ratio: gauge('Share of the time since the last scrape in which the event loop was busy'),
} as const;
