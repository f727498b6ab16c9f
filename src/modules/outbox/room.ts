import type { Room } from '#lib/room.ts';
import { empties, type Retention } from '#lib/room.ts';
import { sealedColumns } from './receiver-keys.ts';
import { routingFacts } from './store.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'outbox.event',
    kept: 'for ever, with the digest of its body; the body as long as a delivery of it has one',
    why: 'sealed: proof of which events were sent, and no others',
  },
  {
    table: 'outbox.receiver',
    kept: 'as long as its owner; a replaced secret, until it stops signing',
    why: 'events and deliveries name it',
    forget: {
      secrets: empties({ table: 'outbox.receiver', by: 'previous_secret_until', afterMs: 0 }, [
        'previous_secret_sealed',
        'previous_secret_until',
      ]),
    },
  },
];

export const room: Room = { retention, sealedColumns, routingFacts };
