import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

const forward = preparedText<{ moved: number }>(
  'tag-transactions.bring-forward',
  'select tag_transactions.bring_forward($1, $2, $3) as moved',
  { writes: true },
);

/**
 * Lets a time pass for what an application offers and nobody has answered, and for what this counterpart offers it. For the
 * sandbox: in live it is refused.
 */
export async function bringForward(
  tx: Tx,
  { applicationId, counterpartId, seconds }: { applicationId: string; counterpartId: string | null; seconds: number },
): Promise<number> {
  return (await forward(tx, [applicationId, counterpartId, seconds]))[0]?.moved ?? 0;
}
