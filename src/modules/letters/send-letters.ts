import type { Logger } from 'pino';
import type { Brand } from '#lib/brand.ts';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { routingMacOf } from '#lib/crypto/routing-facts.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { randomToken } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { type EmailProvider, EmailProviderDown } from '../../providers/email/port.ts';
import { letterText } from './letter-text.ts';
import { claimDue, endLetter, hold, type LetterRow, postpone, setToken, TOKEN } from './store.ts';
import { opened } from './write-letter.ts';

/** A worker that has not reported by then counts as dead. */
const LEASE_MS = 2 * 60_000;
const AT_ONCE = 8;
const ATTEMPTS_MAX = 10;
const BACKOFF_BASE_MS = 30_000;
const BACKOFF_MAX_MS = 60 * 60_000;
/** When a letter that is not as we stored it is looked at again. */
const HELD_MS = 5 * 60_000;

type Deps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  email: EmailProvider;
  securityLog: SecurityLog;
  brand: Brand;
  publicUrl: string;
};

/**
 * Mails the letters that are due. Any number of processes may do so at once; what a process took that died is mailed again,
 * with another link, and the link before then opens nothing. The token of a link is made here and stands nowhere but in the
 * mail. What the mail server does not take is tried ten times; what is given up is a security event. A letter whose address is not
 * as we stored it waits until it is.
 */
export async function sendLetters(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const claimed = await claimDue(deps.db, [now, new Date(now.getTime() + LEASE_MS), AT_ONCE]);
  await Promise.all(claimed.map((row) => send(deps, row)));
}

async function send(deps: Deps, row: LetterRow): Promise<void> {
  const { db, clock, log, brand, publicUrl, keyring } = deps;
  const { id, kind, ownerId, attempts } = row;
  const now = clock.now();
  if (row.recipientSealed === null) return;
  const facts = { letter: id, kind, ownerId, attempts };
  try {
    if (attempts > ATTEMPTS_MAX) throw new Error('each worker that took it up died');
    const to = opened(keyring, 'recipient', row, row.recipientSealed);
    const token = row.linkUntil === null ? undefined : randomToken();
    if (token !== undefined) {
      const tokenDigest = sha256(token);
      await setToken(db, [id, tokenDigest, routingMacOf(keyring, TOKEN, { ...row, tokenDigest })]);
    }
    const url = token === undefined ? undefined : `${publicUrl}/handover/${token}`;
    await deps.email.send({ to, ...letterText(row, { from: brand.name, url }) });
  } catch (err) {
    if (err instanceof AlteredRecord) {
      deps.securityLog.record('stored_record_altered', { record: err.record });
      await hold(db, [id, new Date(now.getTime() + HELD_MS)]);
      return;
    }
    const mayHaveSent = err instanceof EmailProviderDown && err.mayHaveSent;
    if (!mayHaveSent) {
      const again = err instanceof EmailProviderDown && attempts < ATTEMPTS_MAX;
      if (again) {
        log.warn(
          { err, ...facts },
          'the owner of a partner or an application could not be told and will be told later',
        );
        const delayMs = Math.min(BACKOFF_BASE_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
        await postpone(db, [id, new Date(now.getTime() + delayMs)]);
      } else {
        log.error({ err, ...facts }, 'the owner of a partner or an application could not be told');
        await endLetter(db, [id, null]);
        const owner = row.ownerKind === 'PARTNER' ? { partnerId: ownerId } : { applicationId: ownerId };
        deps.securityLog.record('owner_not_told', { ...owner, keyId: row.facts.keyId });
      }
      return;
    }
  }
  await endLetter(db, [id, clock.now()]);
}
