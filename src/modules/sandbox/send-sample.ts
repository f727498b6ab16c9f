import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { randomId } from '#lib/random.ts';
import { sendEvent } from '#modules/webhooks';

/** The events of a partner that can be sent without anything having happened. */
export const sampleEvents = ['wallet.credited', 'wallet.debited', 'transaction.status'] as const;
type SampleEvent = (typeof sampleEvents)[number];

const COMMENT = 'A sample of the sandbox: no money has moved.';

/**
 * Sends an event as it really looks to the partner's own receiver. It reports nothing: every reference in it begins with
 * `sandbox-`, and its comment says so.
 *
 * @returns its delivery, due at once
 * @throws DomainError as `sendEvent`
 */
export async function sendSample(
  deps: DepsOf<typeof sendEvent> & { clock: Clock },
  { partnerId, event }: { partnerId: string; event: SampleEvent },
): ReturnType<typeof sendEvent> {
  const reference = `sandbox-${randomId()}`;
  const now = deps.clock.now().toISOString();
  const data = event === 'transaction.status' ? statusOf(reference, now) : movementOf(event, reference, now);
  return sendEvent(deps, partnerId, { event, reference, body: JSON.stringify({ event, reference, data }) });
}

function movementOf(event: Exclude<SampleEvent, 'transaction.status'>, reference: string, now: string) {
  const isCredit = event === 'wallet.credited';
  return {
    Amount: isCredit ? 1500.5 : -1500.5,
    Operation: isCredit ? 'Credit' : 'Debit',
    Transaction: {
      Amount: 1500.5,
      Fee: 0,
      Status: 'Successful',
      Reference: `${reference}-movement`,
      ExternalReference: '',
      Comment: COMMENT,
    },
    OpeningBalance: isCredit ? 0 : 1500.5,
    ClosingBalance: isCredit ? 1500.5 : 0,
    CreatedAt: now,
  };
}

const statusOf = (reference: string, now: string) => ({
  Amount: 1000,
  Fee: 0,
  Commission: 0,
  Net: 1000,
  Reference: reference,
  Sender: 'Chidi Okafor',
  SenderDetails: { Name: 'Chidi Okafor', Paytag: '', Type: 'CARD', Currency: 'NGN', Amount: 1000, Fee: 0 },
  Recipient: 'Sandbox',
  Status: 'Successful',
  Comment: COMMENT,
  Date: now,
  CompletedAt: now,
  Metadata: {},
  Terminal: {
    SerialNumber: '',
    TerminalID: '',
    Merchant: '',
    Email: '',
    PhoneNumber: '',
    Status: '',
    PayTag: '',
    Qr: '',
    Metadata: {},
    Balance: 0,
  },
});
