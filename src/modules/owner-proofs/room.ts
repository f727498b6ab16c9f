import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Room } from '#lib/room.ts';
import { DAY_MS, deletes, type Retention } from '#lib/room.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'owner_proofs.owner_code',
    kept: 'a day after its request expired',
    why: 'a late code is told that it is late',
    forget: { rows: deletes({ table: 'owner_proofs.owner_code', by: 'expires_at', afterMs: DAY_MS }) },
  },
];

const forward = preparedText<{ purpose: string }>(
  'owner-proofs.bring-forward',
  `update owner_proofs.owner_code c
      set expires_at = expires_at - make_interval(secs => $2),
          code_expires_at = code_expires_at - make_interval(secs => $2),
          sent_at = coalesce((
            select jsonb_object_agg(key, to_char((value::timestamptz - make_interval(secs => $2)) at time zone 'utc',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from jsonb_each_text(c.sent_at)), '{}')
    where purpose = any($1) returning purpose`,
  { writes: true },
);

/** Lets a time pass for the codes that prove the owner of a tag for these purposes. For the sandbox. @returns how many */
export async function bringCodesForward(
  tx: Tx,
  { purposes, seconds }: { purposes: string[]; seconds: number },
): Promise<number> {
  return purposes.length === 0 ? 0 : (await forward(tx, [purposes, seconds])).length;
}

export const room: Room = { retention };
