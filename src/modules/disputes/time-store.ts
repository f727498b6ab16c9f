import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

const forward = preparedText<{ id: string }>(
  'disputes.bring-forward',
  `update disputes.dispute set respond_by = respond_by - make_interval(secs => $2)
    where partner_id = $1 and state = 'OPEN' returning id`,
  { writes: true },
);

/** Lets a time pass for the open disputes about a partner's wallets. For the sandbox. */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds])).length;
}
