import type { Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { linkPurpose } from './answer-link-request.ts';
import { voidCodes } from './void-owner-codes.ts';

const waiting = preparedText<{ id: string }>(
  'federations.waiting-on-tag',
  `select id from federations.link where linked_tag_id = $1 and status = 'PENDING'`,
  { writes: true },
);

/** Makes the codes void by which a customer could agree to a link of their PayTag. */
export async function voidLinkCodes(tx: Tx, tagId: string): Promise<void> {
  const links = await waiting(tx, [tagId]);
  await voidCodes(
    tx,
    links.map(({ id }) => linkPurpose(id)),
  );
}
