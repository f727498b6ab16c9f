import type { Tx } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { type EmittedEvent, insertEvent } from './store.ts';

/**
 * Writes an event and its delivery with what it tells: both are committed or neither is. `body` is what will be sent and
 * signed, byte for byte. An owner without a receiver is told nothing.
 */
export async function emit(tx: Tx, event: EmittedEvent): Promise<void> {
  await insertEvent(tx, event);
  wakeAfterCommit(tx);
}
