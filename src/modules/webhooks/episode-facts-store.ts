import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** What other endpoints of its owner are told of an episode. */
export interface EpisodeFacts {
  id: string;
  kind: string;
  receiverId: string;
  ownerId: string;
  /** Of its URL: the rest of that may be a secret. Empty without one. */
  host: string;
  beganAt: Date;
  /** Now. */
  at: Date;
  /** Of a pause. */
  pausedBy: string;
  reason: string;
  /** The first delivery that has failed in it, and how many have, a thousand at most. */
  failed: { DeliveryId: string; Event: string; Reference: string; LastError: string; Failed: number } | null;
}

const FAILED_MAX = 1_000;

type Row = Omit<EpisodeFacts, 'host'> & { url: string | null };

const selectFacts = preparedText<Row>(
  'webhooks.episode-facts',
  `select e.id, e.kind, r.id as "receiverId", o.owner_id as "ownerId", r.url, e.began_at as "beganAt",
          date_trunc('milliseconds', now()) as at,
          case p.paused_by when 'OPERATOR' then 'OPERATOR' else 'SYSTEM' end as "pausedBy", coalesce(e.detail, '') as reason,
          (select jsonb_build_object('DeliveryId', d.id, 'Event', v.event, 'Reference', v.reference,
                    'LastError', coalesce(d.last_error, ''), 'Failed', (select count(*) from (
                      select from webhooks.failure where receiver_id = r.id limit ${FAILED_MAX}) noted))
             from webhooks.failure f join webhooks.delivery d on d.id = f.delivery_id join outbox.event v on v.id = d.event_id
            where f.receiver_id = r.id order by f.delivery_id limit 1) as failed
     from webhooks.episode e join outbox.receiver r on r.id = e.receiver_id
     join outbox.receiver o on o.id = coalesce(r.default_id, r.id)
     left join webhooks.pause p on p.receiver_id = r.id
    where e.id = any ($1::uuid[]) and o.others > 0 and r.deleted_at is null
    order by e.id`,
);

/** Those of episodes whose receiver is one of several of its owner, and was not deleted. */
export async function selectEpisodeFacts(tx: Tx, ids: readonly string[]): Promise<EpisodeFacts[]> {
  if (ids.length === 0) return [];
  const rows = await selectFacts(tx, [ids]);
  return rows.map(({ url, ...facts }) => ({ ...facts, host: url === null ? '' : new URL(url).host }));
}
