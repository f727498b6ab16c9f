import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

const voided = preparedText(
  'owner-proofs.void',
  'update owner_proofs.owner_code set code_digest = null where purpose = any($1)',
  {
    writes: true,
  },
);

/** Makes the codes void that were sent for these purposes. Their sends stay counted. */
export async function voidCodes(tx: Tx, purposes: string[]): Promise<void> {
  if (purposes.length > 0) await voided(tx, [purposes]);
}
