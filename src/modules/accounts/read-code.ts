import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { isCode } from '#modules/limits';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import { assertLive, creationKey } from './creation.ts';
import { codePurpose, recipientOf } from './creation-code.ts';
import { selectCreation } from './onboarding-store.ts';

/** The code that was sent last in a session. */
export interface SentCode {
  otp: string;
  channel: Channel;
  /** Masked. */
  recipients: string[];
  expiresAt: Date;
}

/**
 * The code that was sent last in a session, if it is the one that the simulated messenger always sends: no other is stored
 * in a way that could be read.
 *
 * @throws DomainError SESSION_NOT_FOUND, also for another partner's; SESSION_EXPIRED; OTP_NOT_SENT
 */
export async function readSimulatedCode(
  {
    db,
    keyring,
    clock,
    messaging,
  }: { db: Database; keyring: Keyring; clock: Clock; messaging: Pick<MessagingProvider, 'newCode'> },
  request: { partnerId: string; session: string },
): Promise<SentCode> {
  const key = creationKey(request);
  const row = await selectCreation(db, keyring, key);
  assertLive(row, clock.now());
  const { codeDigest, codeChannel, codeExpiresAt } = row;
  const otp = messaging.newCode();
  if (codeChannel === null || codeExpiresAt === null || !isCode(keyring, codePurpose(key), codeDigest, otp)) {
    throw new DomainError('OTP_NOT_SENT', 'no code waits in this session that the simulator sent');
  }
  return { otp, channel: codeChannel, recipients: recipientOf(keyring, row, codeChannel), expiresAt: codeExpiresAt };
}
