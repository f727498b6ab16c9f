import type { IsSample, SqlInvariant } from '#lib/room.ts';

/** What a room tells to those endpoints alone that name it. */
interface Told {
  /** The beginning of the events' names, e.g. `payout.`. */
  prefix: string;
  /**
   * A query of what has happened: `owner_id`, `reference` and `event` of what is told of it, `at` when it happened (null: it has not),
   * and `most`, how often it may be told to one endpoint.
   */
  changes: (around: (column: string) => string) => string;
}

/**
 * Rows for each endpoint that was told of something more often than it happened, or not at all though it named the event all the
 * while: since it was last changed.
 */
export const toldOnce =
  ({ prefix, changes }: Told, isSample: IsSample): SqlInvariant['offenders'] =>
  ({ moment, around }) =>
    `
    select m.receiver_id, m.event, m.reference, sum(m.due) as due, sum(m.most) as most, sum(m.told) as told from (
        select r.id as receiver_id, c.event, c.reference, c.most, 0 as told, false as looked_at,
            (r.deleted_at is null and c.event = any (r.events) and r.updated_at < c.at
              and ${moment('c.at')})::int as due
          from (${changes(around)}) c
          join outbox.receiver d on d.owner_id = c.owner_id
          join outbox.receiver r on r.id = d.id or r.default_id = d.id
        union all
        select v.receiver_id, v.event, v.reference, 0, 1, ${moment('v.created_at')}, 0 from outbox.event v
          where starts_with(v.event, '${prefix}') and ${around('v.created_at')} and not ${isSample('v.reference')}) m
      group by 1, 2, 3
      having sum(m.told) < sum(m.due) or (bool_or(m.looked_at) and sum(m.told) > sum(m.most))`;
