import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { bringCodesForward } from '#modules/owner-proofs';
import { linkPurpose } from './answer-link-request.ts';

const forward = preparedText<{ id: string }>(
  'federations.bring-forward',
  `update federations.link set expires_at = expires_at - make_interval(secs => $2)
    where primary_app_id = $1 and status = 'PENDING' returning id`,
  { writes: true },
);

/**
 * Lets a time pass for the links that an application has started and nobody has verified, and for the codes with which their
 * owners prove themselves. For the sandbox.
 */
export async function bringForward(
  tx: Tx,
  { applicationId, seconds }: { applicationId: string; seconds: number },
): Promise<{ links: number; codes: number }> {
  const ids = (await forward(tx, [applicationId, seconds])).map(({ id }) => id);
  const codes = await bringCodesForward(tx, { purposes: ids.map(linkPurpose), seconds });
  return { links: ids.length, codes };
}
