type Series = Readonly<Record<string, string>>;

/** What is measured, minute by minute, when an alert is to fire: nothing wrong in the first two. */
interface Firing {
  readonly series: Series;
  /** Those that its expression leaves. */
  readonly labels?: Readonly<Record<string, string>>;
  /** When it fires at the latest; half an hour if nothing is said. */
  readonly at?: string;
}

/** By the name of the alert. Time begins at 0 in these tests: what happened before has a negative one. */
export const firing: Readonly<Record<string, Firing>> = {
  ReceiversFailing: { series: { 'paytag_webhook_breakers_open{instance="a"}': '0x2 1x40' } },
  DeliveriesOverdue: { series: { 'paytag_webhook_oldest_due_age_seconds{instance="a"}': '0x2 400+60x40' } },
  DeliveriesFailed: { series: { 'paytag_webhook_deliveries_failed_total{instance="a"}': '0x2 0+2x40' } },
  SuspenseAging: { series: { 'paytag_ledger_suspense_oldest_age_seconds{instance="a"}': '0x2 86500+60x40' } },
  BooksBroken: {
    series: {
      'paytag_integrity_violations{instance="a",invariant="legs_sum_to_zero"}': '0x2 3x40',
      'paytag_integrity_violations{instance="a",invariant="another"}': '0x40',
    },
    labels: { invariant: 'legs_sum_to_zero' },
  },
  BooksNotChecked: {
    series: { 'paytag_integrity_last_success_timestamp_seconds{kind="whole"}': '-60x2 -94000x40' },
    at: '33m',
  },
  SealsTooOld: { series: { paytag_ledger_sealed_until_timestamp_seconds: '-60x2 -7300x40' } },
  RecordAltered: { series: { 'paytag_security_events_total{event="stored_record_altered"}': '0x2 1x40' } },
  DataKeyWorn: { series: { 'paytag_data_key_sealed{instance="a"}': '1000x2 1100000000x40' } },
  RollUpLate: { series: { paytag_ledger_roll_up_lag_seconds: '60x2 3700+60x40' } },
  ProviderDown: {
    series: {
      'paytag_provider_up{instance="a",service="bvn",provider="dojah"}': '1x40',
      'paytag_provider_up{instance="b",service="bvn",provider="dojah"}': '1x2 0x40',
    },
    labels: { service: 'bvn', provider: 'dojah' },
  },
  MessagesUnreadable: { series: { paytag_inbox_unreadable_messages: '0x2 1x40' } },
  PayoutsUnknown: { series: { paytag_payouts_oldest_unknown_age_seconds: '0x2 3700+60x40' } },
  FloatLow: {
    series: {
      'paytag_ledger_postings_total{type="PARTNER_WALLET_CREDIT",outcome="INSUFFICIENT_FUNDS"}': '0x2 0+1x40',
    },
  },
  ErrorRate: {
    series: {
      'http_server_request_duration_seconds_count{http_response_status_code="200"}': '0+100x40',
      'http_server_request_duration_seconds_count{http_response_status_code="503"}': '0x2 0+5x40',
    },
  },
  Latency: {
    series: {
      'http_server_request_duration_seconds_bucket{http_route="/v2/partner/float",le="1"}': '0+90x40',
      'http_server_request_duration_seconds_bucket{http_route="/v2/partner/float",le="2.5"}': '0+100x40',
      'http_server_request_duration_seconds_bucket{http_route="/v2/partner/float",le="+Inf"}': '0+100x40',
    },
  },
  EventLoopLate: {
    series: { 'nodejs_eventloop_delay_p99_seconds{instance="a"}': '0.01x2 0.5x40' },
    labels: { instance: 'a' },
  },
  PoolExhausted: {
    series: {
      'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="paytag",le="0.5"}': '0+80x40',
      'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="paytag",le="1"}': '0+100x40',
      'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="paytag",le="+Inf"}': '0+100x40',
    },
    labels: { db_client_connection_pool_name: 'paytag' },
  },
  DatabaseErrors: {
    series: {
      'db_client_operation_duration_seconds_count{db_operation_name="INSERT",error_type="53"}': '0x2 0+30x40',
      'db_client_operation_duration_seconds_count{db_operation_name="INSERT",error_type="23"}': '0+30x40',
    },
    labels: { error_type: '53' },
  },
  DatabaseUnread: {
    series: {
      'paytag_metrics_unread{instance="a",reading="payouts"}': '0x2 1x40',
      'paytag_metrics_unread{instance="a",reading="deliveries"}': '0x40',
    },
    labels: { reading: 'payouts' },
  },
  ProcessDown: {
    series: { 'up{job="paytag",instance="api:9464"}': '1x2 0x40' },
    labels: { job: 'paytag', instance: 'api:9464' },
  },
  CredentialsChanged: {
    series: { 'paytag_security_events_total{instance="a",event="api_key_added"}': '0x2 1x40' },
    labels: { event: 'api_key_added' },
  },
  OperatorRaised: {
    series: { 'paytag_security_events_total{instance="a",event="operator_token_rotated"}': '0x2 1x40' },
    labels: { event: 'operator_token_rotated' },
  },
  MoneyFreed: {
    series: { 'paytag_security_events_total{instance="a",event="money_freed"}': '0x2 1x40' },
    labels: { event: 'money_freed' },
  },
  OwnerNotTold: { series: { 'paytag_security_events_total{instance="a",event="owner_not_told"}': '0x2 1x40' } },
  LoginAttack: {
    series: {
      'paytag_logins_total{outcome="wrong"}': '0x2 0+40x40',
      'paytag_logins_total{outcome="ok"}': '0+10x40',
    },
  },
  CodesGuessed: { series: { 'paytag_otp_checked_total{outcome="wrong"}': '0x2 0+10x40' } },
  CodesNotSent: {
    series: {
      'paytag_otp_sent_total{channel="sms",outcome="sent"}': '0+10x60',
      'paytag_otp_sent_total{channel="sms",outcome="failed"}': '0x2 0+10x60',
      'paytag_otp_sent_total{channel="email",outcome="sent"}': '0+10x60',
    },
    labels: { channel: 'sms' },
  },
  TaskFailing: {
    series: {
      'paytag_task_runs_total{task="cleanup",outcome="failed"}': '0+1x80',
      'paytag_task_runs_total{task="cleanup",outcome="ok"}': '0+1x2 2x80',
      'paytag_task_runs_total{task="sealing the books",outcome="failed"}': '0+1x80',
      'paytag_task_runs_total{task="sealing the books",outcome="ok"}': '0+1x80',
    },
    labels: { task: 'cleanup' },
    at: '60m',
  },
  CleanupFailing: {
    series: { 'paytag_task_steps_failed_total{step="notices"}': '0x2 0+1x40' },
    labels: { step: 'notices' },
  },
  ClockOff: {
    series: { 'paytag_clock_ahead_seconds{instance="a"}': '0x2 -9x40' },
    labels: { instance: 'a' },
  },
  FilesExhausted: {
    series: { 'process_open_fds{instance="a"}': '10x2 900x40', 'process_max_fds{instance="a"}': '1024x40' },
    labels: { instance: 'a' },
  },
};

/** Times of an alert that are wrong only when they last: of what, and by when it fires, or never. */
export const lasting: readonly {
  readonly alert: keyof typeof firing;
  readonly what: string;
  readonly series: Series;
  readonly silentAt: readonly string[];
  readonly firesAt?: string;
}[] = [
  {
    alert: 'BooksNotChecked',
    what: 'a server that was off for four days, whose worker checks the books first',
    series: { 'paytag_integrity_last_success_timestamp_seconds{kind="whole"}': '-345600x20 1200x60' },
    silentAt: ['1m', '19m', '25m', '60m'],
  },
  {
    alert: 'BooksNotChecked',
    what: 'a new installation that nobody checks',
    series: { 'paytag_integrity_last_success_timestamp_seconds{kind="whole"}': '-60x1700' },
    silentAt: ['1m', '60m', '1559m'],
    firesAt: '1592m',
  },
  {
    alert: 'SealsTooOld',
    what: 'a new installation that nobody seals',
    series: { paytag_ledger_sealed_until_timestamp_seconds: '-60x200' },
    silentAt: ['1m', '60m', '119m'],
    firesAt: '126m',
  },
];

/**
 * What is measured, minute by minute, while all is well: of every metric that an alert reads, for longer than any of them
 * waits. Some things go wrong now and then in a healthy system; they do here too, less than an alert tolerates.
 */
export const healthy: Readonly<Record<string, string>> = {
  'up{job="paytag",instance="a"}': '1x150',
  'paytag_clock_ahead_seconds{instance="a"}': '-0.2x150',
  'nodejs_eventloop_delay_p99_seconds{instance="a"}': '0.03x150',
  'process_open_fds{instance="a"}': '200x150',
  'process_max_fds{instance="a"}': '1024x150',

  paytag_ledger_suspense_oldest_age_seconds: '600+60x150',
  'paytag_integrity_violations{invariant="legs_sum_to_zero"}': '0x150',
  'paytag_integrity_last_success_timestamp_seconds{kind="whole"}': '-36000x150',
  'paytag_data_key_sealed{instance="a"}': '1000000+100x150',
  paytag_ledger_sealed_until_timestamp_seconds: '-1800+60x150',
  paytag_ledger_roll_up_lag_seconds: '60x150',
  paytag_payouts_oldest_unknown_age_seconds: '120x150',
  paytag_inbox_unreadable_messages: '0x150',
  'paytag_provider_up{instance="a",service="bvn",provider="dojah"}': '1x150',
  'paytag_ledger_postings_total{type="PARTNER_WALLET_CREDIT",outcome="posted"}': '0+100x150',
  'paytag_ledger_postings_total{type="PARTNER_WALLET_CREDIT",outcome="INSUFFICIENT_FUNDS"}': '0+0.1x150',

  paytag_webhook_breakers_open: '0x150',
  paytag_webhook_oldest_due_age_seconds: '2x150',
  paytag_webhook_deliveries_failed_total: '0+0.1x150',

  'paytag_security_events_total{event="api_key_added"}': '0x150',
  'paytag_security_events_total{event="operator_token_rotated"}': '0x150',
  'paytag_security_events_total{event="money_freed"}': '0x150',
  'paytag_security_events_total{event="owner_not_told"}': '0x150',
  'paytag_security_events_total{event="stored_record_altered"}': '0x150',
  'paytag_logins_total{outcome="ok"}': '0+40x150',
  'paytag_logins_total{outcome="wrong"}': '0+4x150',
  'paytag_logins_total{outcome="throttled"}': '0+1x150',
  'paytag_otp_checked_total{outcome="right"}': '0+40x150',
  'paytag_otp_checked_total{outcome="wrong"}': '0+2x150',
  'paytag_otp_sent_total{channel="sms",outcome="sent"}': '0+40x150',
  'paytag_otp_sent_total{channel="sms",outcome="failed"}': '0+1x150',

  'http_server_request_duration_seconds_count{http_response_status_code="200"}': '0+1000x150',
  'http_server_request_duration_seconds_count{http_response_status_code="503"}': '0+1x150',
  'http_server_request_duration_seconds_bucket{http_route="/v2/partner/float",le="0.5"}': '0+999x150',
  'http_server_request_duration_seconds_bucket{http_route="/v2/partner/float",le="1"}': '0+1000x150',
  'http_server_request_duration_seconds_bucket{http_route="/v2/partner/float",le="+Inf"}': '0+1000x150',
  'http_server_request_duration_seconds_bucket{http_route="/operator/v1/overview",le="1"}': '0+0x150',
  'http_server_request_duration_seconds_bucket{http_route="/operator/v1/overview",le="+Inf"}': '0+100x150',

  'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="paytag",le="0.1"}': '0+99x150',
  'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="paytag",le="1"}': '0+100x150',
  'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="paytag",le="+Inf"}': '0+100x150',
  'db_client_operation_duration_seconds_count{db_operation_name="INSERT",error_type="23"}': '0+60x150',
  'db_client_operation_duration_seconds_count{db_operation_name="INSERT",error_type="53"}': '0+1x150',
  'paytag_metrics_unread{reading="payouts"}': '0x150',

  'paytag_task_runs_total{task="cleanup",outcome="ok"}': '0+1x150',
  'paytag_task_runs_total{task="cleanup",outcome="failed"}': '0+0.1x150',
  'paytag_task_steps_failed_total{step="notices"}': '0+0.01x150',
};

/** When no alert may fire: after half an hour, and when even those that wait longest have waited over and over. */
export const askedAt = ['30m', '120m'];
