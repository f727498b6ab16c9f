import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, routingMacOf } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type MailRow, PROVEN, selectByToken, setOpened, setProven, TOKEN } from './mail-store.ts';
import { opened } from './queue-mail.ts';
import type { LinkKind, MailFacts } from './tables.ts';

/** What a link does. */
export interface Link {
  kind: LinkKind;
  facts: MailFacts;
  expiresAt: Date;
}

/**
 * What a link does. Opening changes nothing, however often: mail scanners open links before people do.
 *
 * @throws DomainError SECRET_LINK_EXPIRED for a link that was used, has expired or is not ours; AlteredRecord
 */
export async function openLink(
  { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock },
  token: string,
): Promise<Link> {
  const found = await selectByToken(db, sha256(token));
  const { kind, facts, linkUntil: expiresAt } = assertGood(keyring, found, clock.now());
  return { kind, facts, expiresAt };
}

/**
 * Uses a link: it proves the address, or shows its secret, once, also under concurrent calls. Audited, without the secret.
 *
 * @throws DomainError SECRET_LINK_EXPIRED as `openLink` does
 */
export async function takeLink(
  deps: { transact: Transact; clock: Clock; keyring: Keyring; securityLog: SecurityLog },
  token: string,
): Promise<Link & { secret: string | undefined }> {
  const now = deps.clock.now();
  const taken = await deps.transact(async (tx) => {
    const row = assertGood(deps.keyring, await selectByToken(tx, sha256(token), 'locked'), now);
    const { id, kind, facts, ownerId, linkUntil: expiresAt, secretSealed } = row;
    const secret = secretSealed === null ? undefined : opened(deps.keyring, 'secret', row, secretSealed);
    await setOpened(tx, [id, now]);
    if (kind === 'CONTACT_PROOF') {
      const { addressDigest } = row;
      const routingMac = routingMacOf(deps.keyring, PROVEN, { ownerId, addressDigest, provenAt: now });
      await setProven(tx, [ownerId, addressDigest, now, routingMac]);
    }
    const isProof = kind === 'CONTACT_PROOF';
    const action = isProof ? 'contact.prove' : 'secret.take';
    const after = { kind, to: facts.to, ...(isProof && { addressDigest: row.addressDigest.toString('hex') }) };
    await recordChange(tx, { actor: `letter:${id}`, action, target: ownerId, after });
    return { row, shown: { kind, facts, expiresAt, secret } };
  });
  const { ownerKind, ownerId, kind } = taken.row;
  const whose = ownerKind === 'PARTNER' ? { partnerId: ownerId } : { applicationId: ownerId };
  deps.securityLog.record(kind === 'CONTACT_PROOF' ? 'contact_proven' : 'secret_taken', whose);
  return taken.shown;
}

function assertGood(
  keyring: Keyring,
  found: MailRow | undefined,
  now: Date,
): MailRow & { kind: LinkKind; linkUntil: Date } {
  if (found === undefined || found.openedAt !== null || found.linkUntil === null || found.linkUntil <= now) {
    const message = 'this link was used, has expired or is not ours: ask the operator for a new one';
    throw new DomainError('SECRET_LINK_EXPIRED', message);
  }
  assertAuthentic(keyring, TOKEN, found);
  return { ...found, kind: found.kind as LinkKind, linkUntil: found.linkUntil }; // others have no link: `letter_link`
}
