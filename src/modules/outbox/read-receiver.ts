import type { Executor } from '#lib/database.ts';
import { type ReceiverRow, selectReceiver } from './store.ts';

/** Where the events of an owner go. Its keys stay inside. */
export type Receiver = Omit<ReceiverRow, 'clientIdSealed' | 'secretSealed' | 'previousSecretSealed'>;

export const withoutKeys = ({
  clientIdSealed: _c,
  secretSealed: _s,
  previousSecretSealed: _p,
  ...receiver
}: ReceiverRow): Receiver => receiver;

/** The receiver of a partner or application, undefined when it has none. */
export async function readReceiver(db: Executor, ownerId: string): Promise<Receiver | undefined> {
  const found = await selectReceiver(db, ownerId);
  return found && withoutKeys(found);
}
