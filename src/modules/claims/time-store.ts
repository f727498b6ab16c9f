import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { bringCodesForward } from '#modules/owner-proofs';
import { consentPurpose } from './answer-in-person.ts';

const forward = preparedText<{ id: string }>(
  'claims.bring-forward',
  `update claims.claim set token_expires_at = token_expires_at - make_interval(secs => $2)
    where requested_by_app_id = $1 and state = 'PENDING' returning id`,
  { writes: true },
);

/**
 * Lets a time pass for the consents that an application has asked for and nobody has answered, and for the codes with which
 * their owners prove themselves. For the sandbox.
 */
export async function bringForward(
  tx: Tx,
  { applicationId, seconds }: { applicationId: string; seconds: number },
): Promise<{ claims: number; codes: number }> {
  const ids = (await forward(tx, [applicationId, seconds])).map(({ id }) => id);
  const codes = await bringCodesForward(tx, { purposes: ids.map(consentPurpose), seconds });
  return { claims: ids.length, codes };
}
