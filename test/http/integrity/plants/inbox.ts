import type { Plant } from './plant.ts';

const booked = (amount: string, outcome: string) => `
  insert into inbox.message (provider, origin, digest, event, kind, reference, amount, currency, outcome, state, transaction_id,
      received_at, ended_at, updated_at)
    select provider, 'HOOK', '\\x00', 'transfer.success', 'TRANSFER', provider_reference, ${amount}, 'NGN', '${outcome}', 'BOOKED',
      transaction_id, now(), now(), now()
    from payouts.payout where state = 'SUCCESSFUL' returning id`;

/** What providers told us, and what it was booked as. */
export const inboxPlants: readonly Plant[] = [
  {
    what: 'a message of a transfer that was booked as another amount',
    statement: booked('amount + 1', 'SUCCESSFUL'),
    seenBy: ['messages_of_transfers_are_booked_as_they_say'],
  },
  {
    what: 'a message of a transfer that failed, booked as one that succeeded',
    statement: booked('amount', 'FAILED'),
    seenBy: ['messages_of_transfers_are_booked_as_they_say'],
  },
  {
    what: 'a posting of what a provider collected, whose message is gone',
    statement: `delete from inbox.message where kind = 'CHARGE' returning transaction_id as id`,
    seenBy: ['collections_have_their_message'],
  },
  {
    what: 'a message of a payment of another amount than was booked',
    statement: `update inbox.message set amount = amount + 1, updated_at = now() where kind = 'CHARGE' returning id`,
    seenBy: ['messages_of_payments_are_booked_as_they_say'],
  },
];
