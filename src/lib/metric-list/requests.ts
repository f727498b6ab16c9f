import { counter, gauge, histogram, REQUEST_SECONDS, STATEMENT_SECONDS } from '../metric-kinds.ts';

/** What comes in, and the database behind it. By OpenTelemetry's semantic conventions, where they have a name. */
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
