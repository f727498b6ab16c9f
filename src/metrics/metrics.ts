import { type SecurityEvent, securityEvents } from '#lib/security-events.ts';
import type { IntegrityState } from '#modules/integrity';
import type { DeliveryObserver } from '#modules/webhooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '#prom-client';
import { createIntegrityGauges } from './integrity-gauges.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Up to an hour: the fifth and last attempt is about 43 minutes after the first. */
const DELIVERY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600, 1800, 3600];

/** How much waits to be delivered, read from the database for the scrapes of the next second or more. */
export interface BacklogGauges {
  oldestDueSeconds: number;
  pending: number;
  held: number;
  receiversPaused: number;
  breakersOpen: number;
}

/** How far the books are sealed, read from the database for the scrapes of the next second or more. */
export interface SealGauges {
  number: number;
  endsAt: Date;
}

/** What this process counts. Labels have few possible values: none is an id, a URL or personal data. */
export interface Metrics {
  readonly webhooks: DeliveryObserver & { autoPaused(): void };
  securityEvent(event: SecurityEvent): void;
  requestEnded(request: { method: string; route: string; status: number; seconds: number }): void;
  /**
   * All metrics in Prometheus' text format. What is undefined (the database does not answer, or nothing is sealed yet) is
   * NaN there; without `integrity` its gauges are not there.
   */
  expose(
    backlog: BacklogGauges | undefined,
    sealed: SealGauges | undefined,
    integrity: IntegrityState | undefined,
  ): Promise<{ contentType: string; text: string }>;
}

/** Makes metrics in a registry of their own, so that several servers can run in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const named = (name: string, help: string) => ({ name: `paytag_${name}`, help, registers });

  const attempts = new Counter({
    ...named('webhook_attempts_total', 'Webhook attempts, by outcome'),
    labelNames: ['outcome'],
  });
  const failed = new Counter(named('webhook_deliveries_failed_total', 'Webhook deliveries whose last attempt failed'));
  const opened = new Counter(named('webhook_breakers_opened_total', 'Circuit breakers of receivers that opened'));
  const paused = new Counter(named('webhook_auto_pauses_total', 'Receivers paused because they failed for too long'));
  const delivery = new Histogram({
    ...named('webhook_delivery_seconds', 'Time from the commit of an event to its delivery'),
    buckets: DELIVERY_SECONDS,
  });
  const requests = new Histogram({
    ...named('http_request_duration_seconds', 'Duration of HTTP requests, by method, route template and status'),
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
  });
  const security = new Counter({
    ...named('security_events_total', 'Security events, by name'),
    labelNames: ['event'],
  });
  for (const event of Object.keys(securityEvents)) security.inc({ event }, 0); // so that the first one is an increase
  const gauge = (name: string, help: string) => new Gauge(named(name, help));
  const gauges: Record<keyof BacklogGauges, Gauge> = {
    oldestDueSeconds: gauge(
      'webhook_oldest_due_seconds',
      'How long the oldest due delivery has waited, without those held by an open breaker',
    ),
    pending: gauge('webhook_pending', 'Deliveries that are due now or later'),
    held: gauge('webhook_parked', 'Deliveries held for receivers that are paused or have no URL'),
    receiversPaused: gauge('webhook_receivers_paused', 'Receivers that are paused'),
    breakersOpen: gauge('webhook_breakers_open', 'Receivers whose breaker is open or half open'),
  };
  const lastSeal = gauge('ledger_last_seal', 'Number of the last seal of the books');
  const sealedUntil = gauge(
    'ledger_sealed_until_timestamp_seconds',
    'End of the last hour of the books that is sealed',
  );
  const showIntegrity = createIntegrityGauges(registers);
  let hasDefaults = false;

  return {
    webhooks: {
      attempted: (outcome) => attempts.inc({ outcome }),
      delivered: (afterMs) => delivery.observe(afterMs / 1000),
      failed: () => failed.inc(),
      breakerOpened: () => opened.inc(),
      autoPaused: () => paused.inc(),
    },
    securityEvent: (event) => security.inc({ event }),
    requestEnded: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    async expose(backlog, sealed, integrity) {
      if (!hasDefaults) collectDefaultMetrics({ register: registry }); // at the first scrape: their observers run all the time
      hasDefaults = true;
      for (const [name, one] of Object.entries(gauges)) one.set(backlog?.[name as keyof BacklogGauges] ?? Number.NaN);
      lastSeal.set(sealed?.number ?? Number.NaN);
      sealedUntil.set(sealed === undefined ? Number.NaN : sealed.endsAt.getTime() / 1000);
      showIntegrity(integrity);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
