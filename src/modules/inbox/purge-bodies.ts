import { preparedText } from '#lib/prepared.ts';

/** Drops the bytes of messages that were booked, ignored or dismissed before a moment. What was told, and its digest, stay. */
export const purgeBodiesEndedBefore = preparedText<{ id: string }>(
  'inbox.purge-bodies',
  `update inbox.message set body_sealed = null where body_sealed is not null and ended_at < $1 returning id`,
  { writes: true },
);
