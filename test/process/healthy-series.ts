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
