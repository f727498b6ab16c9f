import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { ensureKeys } from './generate-keys.ts';
import type { SigningKeyRow } from './signing-key-store.ts';
import { verifiesUntilMs } from './verifying-time.ts';

/** What is shown of a signing key. */
export interface SigningKey {
  kid: string;
  status: SigningKeyRow['status'];
  /** Whether a token may still be good that it signed; then it is published too. */
  verifies: boolean;
  /** Of a retired key: when the last token that it can have signed expires. */
  verifiesUntil: Date | undefined;
  createdAt: Date;
  retiredAt: Date | undefined;
  revokedAt: Date | undefined;
}

/** Every key that there ever was, newest first. */
export async function listSigningKeys(deps: { db: Database; keyring: Keyring; clock: Clock }): Promise<SigningKey[]> {
  const now = deps.clock.now();
  return (await ensureKeys(deps)).toReversed().map((row) => toSigningKey(row, now));
}

export function toSigningKey(row: Omit<SigningKeyRow, 'privateJwkSealed' | 'publicJwk'>, now: Date): SigningKey {
  const { kid, status, createdAt, retiredAt, revokedAt } = row;
  return {
    kid,
    status,
    verifies: status !== 'REVOKED' && now.getTime() < verifiesUntilMs(row),
    verifiesUntil: status === 'RETIRED' ? new Date(verifiesUntilMs(row)) : undefined,
    createdAt,
    retiredAt: retiredAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
  };
}
