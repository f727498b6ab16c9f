import { eq } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';
import { message } from './tables.ts';

export type MessageRow = typeof message.$inferSelect;

/** Stores a message, unless it is there: provider, origin, digest, sealed bytes, and now. */
export const insertMessage = preparedText<{ id: string }>(
  'inbox.insert',
  `insert into inbox.message (provider, origin, digest, body_sealed, due_at, received_at, updated_at)
    values ($1, $2, $3::bytea, $4::bytea, $5::timestamptz, $5::timestamptz, $5::timestamptz)
    on conflict (provider, digest) do nothing returning id`,
  { writes: true },
);

/** A message that a worker is to book. */
export interface ClaimedMessage {
  id: string;
  provider: string;
  bodySealed: Buffer | null;
  attempts: number;
}

/** Claims messages that are due: now, until when nobody else does, and how many at most. */
export const claimDueMessages = preparedText<ClaimedMessage>(
  'inbox.claim-due',
  `update inbox.message m set attempts = m.attempts + 1, due_at = $2, updated_at = $1
    where m.id in (select d.id from inbox.message d where d.due_at <= $1 order by d.due_at limit $3 for update skip locked)
    returning m.id, m.provider, m.body_sealed as "bodySealed", m.attempts`,
  { writes: true },
);

/** Writes what has become of a message. One that was booked stays as it is. */
export async function updateMessage(db: Executor, id: string, change: Partial<MessageRow>): Promise<void> {
  await db.update(message).set(change).where(eq(message.id, id));
}
