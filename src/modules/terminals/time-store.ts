import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

const forward = preparedText<{ moved: number }>(
  'terminals.bring-forward',
  'select terminals.bring_forward($1, $2) as moved',
  { writes: true },
);

/** Lets a time pass for the splits of a partner's terminals of which nothing is paid. For the sandbox: in live it is refused. */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds }: { partnerId: string; seconds: number },
): Promise<number> {
  return (await forward(tx, [partnerId, seconds]))[0]?.moved ?? 0;
}
