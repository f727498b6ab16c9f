import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import { SESSIONS } from './store.ts';

const forwardCodes = preparedText<{ digest: Buffer }>(
  'sessions.bring-codes-forward',
  `update sessions.auth_code set expires_at = expires_at - make_interval(secs => $2)
    where partner_id = $1 and exchanged_at is null and expires_at > $3 returning digest`,
  { writes: true },
);

const forwardSessions = preparedText<{ id: string }>(
  'sessions.bring-forward',
  `update sessions.session set expires_at = expires_at - make_interval(secs => $2)
    where partner_id = $1 and revoked_at is null and expires_at > $3 returning id`,
  { writes: true },
);

/**
 * Lets a time pass for the authorization codes of a partner that can still be exchanged, and for its customers' sessions:
 * a token whose session has expired is good no more. For the sandbox.
 */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds, now }: { partnerId: string; seconds: number; now: Date },
): Promise<{ authCodes: number; sessions: number }> {
  const given = [partnerId, seconds, now];
  const [codes, sessions] = await Promise.all([forwardCodes(tx, given), forwardSessions(tx, given)]);
  const ids = sessions.map(({ id }) => id);
  if (ids.length > 0) forgetAfterCommit(tx, SESSIONS, ids);
  return { authCodes: codes.length, sessions: ids.length };
}
