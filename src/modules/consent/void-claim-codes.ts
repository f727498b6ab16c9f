import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { consentPurpose } from './answer-in-person.ts';
import { voidCodes } from './void-owner-codes.ts';

const waiting = preparedText<{ id: string }>(
  'claims.waiting-on-tag',
  `select id from claims.claim where tag_id = $1 and state = 'PENDING'`,
  { writes: true },
);

/** Makes the codes void by which a tag's owner could agree to what waits for them. */
export async function voidConsentCodes(tx: Tx, tagId: string): Promise<void> {
  const claims = await waiting(tx, [tagId]);
  await voidCodes(
    tx,
    claims.map(({ id }) => consentPurpose(id)),
  );
}
