import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** What of a partner's onboarding was brought forward. */
export interface ForwardedSessions {
  sessions: number;
  /** One-time passwords among them that were sent and not given yet. */
  codes: number;
}

const forward = preparedText<{ code: boolean }>(
  'onboarding.bring-forward',
  `update onboarding.creation_session s
      set expires_at = expires_at - make_interval(secs => $2),
          otp_expires_at = otp_expires_at - make_interval(secs => $2),
          otp_sent_at = coalesce((
            select jsonb_object_agg(key, to_char((value::timestamptz - make_interval(secs => $2)) at time zone 'utc',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from jsonb_each_text(s.otp_sent_at)), '{}')
    where partner_id = $1 and status <> 'COMPLETED' and expires_at > $3
   returning otp_digest is not null as code`,
  { writes: true },
);

/**
 * Lets a time pass for the sessions that a partner's customers have open, creations and resets alike: for when they and
 * their codes expire, and for when another code may be sent. For the sandbox.
 */
export async function bringForward(
  tx: Tx,
  { partnerId, seconds, now }: { partnerId: string; seconds: number; now: Date },
): Promise<ForwardedSessions> {
  const moved = await forward(tx, [partnerId, seconds, now]);
  return { sessions: moved.length, codes: moved.filter(({ code }) => code).length };
}
