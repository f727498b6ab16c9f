import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

const forward = preparedText<{ id: string }>(
  'statements.bring-forward',
  `update statements.requested r set created_at = r.created_at - make_interval(secs => $2)
     from wallets.partner_wallet w where w.id = r.wallet_id and w.partner_id = $1 returning r.id`,
  { writes: true },
);

/** Lets a time pass for the statements that a partner's customers have asked for: how long they are kept. For the sandbox. */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds])).length;
}
