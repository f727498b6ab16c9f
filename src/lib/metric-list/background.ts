import { counter, gauge, histogram, REQUEST_SECONDS } from '../metric-kinds.ts';

/** Up to an hour: the fifth and last attempt is about 43 minutes after the first. */
const DELIVERY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600, 1800, 3600];

/** What runs by itself: webhooks, the queue that wakes who sends them, and periodic tasks. */
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
