import type { Executor } from '#lib/postgres/executor.ts';
import { countOfWaiting } from '#lib/postgres/lists.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Invariant, Room } from '#lib/room.ts';
import { DAY_MS, empties, type Retention } from '#lib/room.ts';
import { sealedColumns } from './message-body.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'inbox.message',
    kept: 'for ever; its body, 90 days after it was booked, ignored or dismissed',
    why: 'the books: what was booked from it; for so long it is looked at when something is wrong',
    forget: {
      bodies: empties(
        { table: 'inbox.message', by: 'ended_at', afterMs: 90 * DAY_MS, where: 't.body_sealed is not null' },
        ['body_sealed'],
      ),
    },
  },
];

/** What must be true of the inbox at any moment. */
const invariants: readonly Invariant[] = [
  {
    name: 'messages_of_transfers_are_booked_as_they_say',
    promise:
      'a booked message of a transfer names its payout, of the same amount, which has become what the message says, or was corrected to it',
    offenders: ({ moment }) => `
      select m.id, m.reference, m.amount, m.outcome, p.state, p.amount as payout from inbox.message m
        left join payouts.payout p on p.transaction_id = m.transaction_id
        where m.kind = 'TRANSFER' and m.state = 'BOOKED' and ${moment('m.updated_at')}
          and ((m.provider, m.reference, m.amount, m.currency)
              is distinct from (p.provider, p.provider_reference, p.amount, 'NGN')
            or case m.outcome when 'SUCCESSFUL' then p.state not in ('SUCCESSFUL', 'REVERSED') and p.correction_id is null
              else p.state not in ('FAILED', 'REVERSED') end)`,
  },
  {
    name: 'messages_of_payments_are_booked_as_they_say',
    promise:
      'a booked message of a payment names its posting, of the same amount and reference, out of what providers collect',
    offenders: ({ moment }) => `
      select m.id, m.reference, m.amount, t.id as transaction_id, t.amount as posted from inbox.message m
        left join ledger.transaction t on t.id = m.transaction_id left join ledger.account a on a.id = t.source_id
        where m.kind = 'CHARGE' and m.state = 'BOOKED' and ${moment('m.updated_at')}
          and ((t.type, t.amount, t.external_reference, t.currency, a.kind)
              is distinct from ('INBOUND', m.amount, m.reference, m.currency, 'CLEARING_COLLECTION') or t.status = 'Failed')`,
  },
  {
    name: 'collections_have_their_message',
    promise: 'every posting of what a provider has collected was told by it, in a message that is kept',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.amount from ledger.transaction t join ledger.account a on a.id = t.source_id
        where t.type = 'INBOUND' and a.kind = 'CLEARING_COLLECTION' and t.status <> 'Failed' and ${moment('t.created_at')}
          and not exists (select from inbox.message m where m.transaction_id = t.id and m.state = 'BOOKED' and m.kind = 'CHARGE')`,
  },
];

/** Messages of providers that differ from what is booked. */
export const differingMessages = countOfWaiting(
  'inbox.differing',
  `select received_at as at from inbox.message where state in ('RECEIVED', 'DIFFERENT') and state = 'DIFFERENT'`,
);

const selectUnreadable = preparedText<{ count: number }>(
  'inbox.unreadable',
  `select count(*)::int as count from inbox.message
    where state in ('RECEIVED', 'DIFFERENT') and state = 'DIFFERENT' and difference = 'UNREADABLE'`,
);

/** How many messages of providers are not as these document them and were looked at by nobody yet, for metrics. */
export async function measureUnreadable(db: Executor): Promise<number> {
  return (await selectUnreadable(db, []))[0]?.count ?? 0;
}

export const room: Room = { retention, invariants: () => invariants, sealedColumns };
