import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { sign, type TokenKind, verify } from '#modules/signing-keys';
import { isInUse } from './claim.ts';
import { type ClaimParts, selectById } from './store.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock; publicUrl: string };

/** As long as a retired key is published: whoever holds an attestation that is not over can verify it. */
const TTL_S = 24 * 60 * 60;

/** The proof that a tag's owner consented, for the application that asked. It opens nothing by itself. */
export interface Attestation {
  /** ES256 JWT: iss, aud (the requester's id), sub (its subject), tag, tag_id, consent_id, iat, exp, jti. */
  token: string;
  /** Seconds since 1970. */
  expiresAt: number;
  tag: string;
  subjectId: string;
  consentId: string;
}

/** An audience of its own and a type of its own, so that it is never taken for a token that opens something. */
const attestationKind = (publicUrl: string, requesterId: string): TokenKind => ({
  typ: 'consent-attestation+jwt',
  issuer: publicUrl,
  audience: requesterId,
});

export async function attest(deps: Deps, { claim, tag }: ClaimParts): Promise<Attestation> {
  const iat = Math.floor(deps.clock.now().getTime() / 1000);
  const exp = iat + TTL_S;
  const token = await sign(deps, attestationKind(deps.publicUrl, claim.requestedByAppId), {
    sub: claim.subjectId,
    tag: tag.handle,
    tag_id: claim.tagId,
    consent_id: claim.id,
    jti: randomUUID(),
    iat,
    exp,
  });
  return { token, expiresAt: exp, tag: tag.handle, subjectId: claim.subjectId, consentId: claim.id };
}

/**
 * The consent that an attestation issued to this application proves, while it lives: the signature and the time are
 * right, the claim is still approved and the tag in use. Undefined for any other text.
 */
export async function verifyAttestation(
  deps: Deps,
  { token, requesterId }: { token: string; requesterId: string },
): Promise<{ consentId: string; tagId: string; subjectId: string } | undefined> {
  const claims = await verify(deps, token, attestationKind(deps.publicUrl, requesterId));
  const found = claims && (await selectById(deps.db, String(claims['consent_id'])));
  if (found?.claim.state !== 'APPROVED' || !isInUse(found)) return undefined;
  const { id: consentId, tagId, subjectId } = found.claim;
  return { consentId, tagId, subjectId };
}
