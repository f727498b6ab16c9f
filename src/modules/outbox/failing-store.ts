import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';

export interface FailingReceiver {
  ownerId: string;
  failingSince: Date;
}

/**
 * Active receivers whose breaker has opened, and whose attempts have failed over so many hours without a success in
 * between: the first failure and the latest lie that far apart. A quiet receiver does not count.
 */
export async function selectLongFailing(
  db: Executor,
  hours: number,
  { limit, ownerId }: { limit: number; ownerId?: string },
): Promise<FailingReceiver[]> {
  const { rows } = await db.execute<{ ownerId: string; failingSince: string }>(sql`
    select r.owner_id as "ownerId", b.failing_since as "failingSince"
      from outbox.breaker b join outbox.receiver r on r.id = b.receiver_id
     where r.status = 'ACTIVE' and b.open_until is not null
       and b.last_failed_at - b.failing_since >= ${hours}::int * interval '1 hour'
       and (${ownerId ?? null}::uuid is null or r.owner_id = ${ownerId ?? null}::uuid)
     limit ${limit}`);
  return rows.map((row) => ({ ownerId: row.ownerId, failingSince: new Date(row.failingSince) }));
}
