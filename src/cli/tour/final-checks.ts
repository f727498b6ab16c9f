import type { Application, Partner, TourContext } from './context.ts';
import { verify } from './webhook-receiver.ts';

/** Checks the signature of every webhook, and every invariant of the ledger. */
export async function checkEverything(
  { tour, receiver, operator }: TourContext,
  { acme, market, rides }: { acme: Partner; market: Application; rides: Application },
): Promise<void> {
  tour.chapter('All webhooks and the whole ledger are checked');
  const keys: Record<string, string> = { acme: acme.clientId, Market: market.client_id, Rides: rides.client_id };
  tour.check(
    `the R-Signature of all ${receiver.received.length} webhooks verifies`,
    receiver.received.every((delivery) => verify(keys[delivery.to] ?? '', delivery)),
  );
  const report = await tour.call<{ ok: boolean; checks: unknown[] }>('GET', '/operator/v1/ledger/check', {
    headers: operator,
  });
  tour.check(`${report.body.checks.length} invariants of the ledger hold on the live database`, report.body.ok);
}
