import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

const forward = preparedText<{ id: string }>(
  'payouts.bring-forward',
  `update payouts.payout set sent_at = sent_at - make_interval(secs => $2), due_at = due_at - make_interval(secs => $2)
    where partner_id = $1 and due_at is not null and state <> 'SENT' returning id`,
  { writes: true },
);

/**
 * Lets a time pass for the payouts of a partner that are on their way, or are looked at once more. Not for one that is being
 * sent: it would seem to be long unknown to the provider. For the sandbox.
 */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds])).length;
}
