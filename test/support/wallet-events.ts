import type { Pool } from 'pg';
import type { Received } from './receiver.ts';

/** Writes an event of each wallet, at this place of its history, as a posting does. */
export const moveWallets = (pool: Pool, ownerId: string, wallets: readonly string[], place: number) =>
  pool.query(
    `select outbox.emit_all(array_agg(row(null, $1::uuid, 'wallet.credited', w, null, format('{"event":"wallet.credited","reference":"%s","data":{"Place":%s}}', w, $3::int), $3, now(), null)::outbox.event))
       from unnest($2::text[]) w`,
    [ownerId, wallets, place],
  );

/** What such an event tells: of which wallet, and which place of its history. */
export function placeIn({ body }: Received): { wallet: string; place: number } {
  const { reference, data } = JSON.parse(body.toString());
  return { wallet: String(reference), place: Number(data.Place) };
}
