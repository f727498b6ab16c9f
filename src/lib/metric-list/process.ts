import { gauge } from '../metric-kinds.ts';

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
