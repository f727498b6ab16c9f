import type { Tx } from '../../lib/database.ts';
import { payment } from './tables.ts';

export async function insertPayment(tx: Tx, values: typeof payment.$inferInsert): Promise<void> {
  await tx.insert(payment).values(values);
}
