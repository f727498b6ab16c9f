import type { Application, Partner, Stage } from './cast.ts';
import { isSignedBy } from './receiver.ts';

/** Every webhook was signed for whom it went to, and every invariant of the books holds. */
export async function allIsProved(
  { guide, receiver, operator }: Stage,
  { acme, market, rides }: { acme: Partner; market: Application; rides: Application },
): Promise<void> {
  guide.chapter('The books are proved');
  const keys: Record<string, string> = { acme: acme.clientId, Market: market.client_id, Rides: rides.client_id };
  guide.tick(
    `every R-Signature of ${receiver.received.length} webhooks verifies`,
    receiver.received.every((delivery) => isSignedBy(keys[delivery.to] ?? '', delivery)),
  );
  const check = await guide.call<{ ok: boolean; checks: unknown[] }>('GET', '/operator/v1/ledger/check', {
    headers: operator,
  });
  guide.tick(`${check.body.checks.length} invariants of the ledger hold on the live database`, check.body.ok);
}
