import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { Meter } from '#lib/meter.ts';
import type { Transact } from '#lib/transact.ts';
import { forgetRegistrantsWaitingSince } from '#modules/applications';
import { forgetApprovalsEndedBefore } from '#modules/approvals';
import { expireClaims } from '#modules/claims';
import { forgetKeptBefore } from '#modules/customers';
import { forgetSaidBefore as forgetEvidenceBefore } from '#modules/disputes';
import { deleteRequestsExpiredBefore } from '#modules/idempotency';
import { purgeBodiesEndedBefore } from '#modules/inbox';
import { forgetAddressesUnusedSince } from '#modules/known-addresses';
import { deleteNoticesBefore } from '#modules/notices';
import { deleteCreationsExpiredBefore } from '#modules/onboarding';
import { deleteConsoleSessionsExpiredBefore } from '#modules/operators';
import { deletePreviousSecrets } from '#modules/outbox';
import { deleteOwnerCodesExpiredBefore } from '#modules/owner-proofs';
import { deletePortalLinksExpiredBefore } from '#modules/partners';
import { forgetSaidBefore } from '#modules/reconciliation';
import { deleteSessionsExpiredBefore } from '#modules/sessions';
import { deletePapersBefore, deleteRequestedBefore } from '#modules/statements';
import { expireSplits } from '#modules/terminals';
import { deleteCountersExpiredBefore } from '#modules/throttles';
import { autoPause, deleteEpisodesEndedBefore } from '#modules/webhooks';

/** Codes, sessions and creations stay this long after they ended, so that a late replay is still recognised. */
const RETENTION_MS = 24 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** After so long an address from which a credential was not used is new to it again. */
const ADDRESS_RETENTION_MS = 90 * DAY_MS;
/** A statement can be fetched this long after it was asked for. */
const STATEMENT_RETENTION_MS = 30 * DAY_MS;
/** A paper can be verified this long after it was given out: those who are shown one ask for the last months, or for a tax year. */
const PAPER_RETENTION_MS = 2 * 366 * DAY_MS;
/** What a bank said of a line that is closed can be read this long: for an audit of the year and of that before. */
const BANK_LINE_RETENTION_MS = 2 * 366 * DAY_MS;
/** What was said of a dispute can be read this long after its decision: so long can it be taken to court (Limitation Law of Lagos State, section 8). */
const EVIDENCE_RETENTION_MS = 6 * 366 * DAY_MS;
/** How long the law has us know whose money it was (MLPPA 2022, section 8; CBN): after that nothing says who an erased customer was. */
const IDENTITY_RETENTION_MS = 5 * 366 * DAY_MS;
/** That a customer was told of something can be shown this long. */
const NOTICE_RETENTION_MS = 90 * DAY_MS;
/** What an operator asked another to approve, and what came of it, can be read this long after its end. */
const APPROVAL_RETENTION_MS = 30 * DAY_MS;
/** That a receiver was in trouble, and its owner told, is known this long. */
const EPISODE_RETENTION_MS = 90 * DAY_MS;
/** What a provider told us can be read as it came this long after it was booked. */
const MESSAGE_RETENTION_MS = 90 * DAY_MS;
/** Who registered an application that nobody approved is known this long; one approved later has no address. */
const REGISTRANT_RETENTION_MS = 90 * DAY_MS;

type Deps = {
  webhooks: { autoPauseAfterH: number };
  log: Logger;
  metrics: Meter;
  db: Database;
  clock: Clock;
  keyring: Keyring;
  publicUrl: string;
  transact: Transact;
};

/**
 * Deletes what has expired: answers under idempotency keys, codes, sessions, closed links, counts of limits, creations with the personal
 * data in them, who registered applications that nobody approved, requests for statements, notices to customers, what was said of disputes that ended long ago, addresses of credentials, bodies of providers’ messages, and webhook secrets that no longer sign. Marks splits and claims as expired, and
 * pauses receivers that have failed for long.
 */
export async function cleanUp(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const aDayAgo = new Date(now.getTime() - RETENTION_MS);
  await deleteRequestsExpiredBefore(db, { moment: now });
  await deleteCreationsExpiredBefore(db, aDayAgo);
  await deleteSessionsExpiredBefore(db, aDayAgo);
  await deleteConsoleSessionsExpiredBefore(db, aDayAgo);
  await deleteOwnerCodesExpiredBefore(db, aDayAgo);
  await deleteCountersExpiredBefore(db, now);
  await deletePortalLinksExpiredBefore(db, [now]);
  await deleteNoticesBefore(db, new Date(now.getTime() - NOTICE_RETENTION_MS));
  await forgetKeptBefore(db, new Date(now.getTime() - IDENTITY_RETENTION_MS));
  await deleteRequestedBefore(db, new Date(now.getTime() - STATEMENT_RETENTION_MS));
  await deletePapersBefore(db, new Date(now.getTime() - PAPER_RETENTION_MS));
  await forgetSaidBefore(db, new Date(now.getTime() - BANK_LINE_RETENTION_MS));
  await forgetEvidenceBefore(db, new Date(now.getTime() - EVIDENCE_RETENTION_MS));
  await forgetAddressesUnusedSince(db, new Date(now.getTime() - ADDRESS_RETENTION_MS));
  await forgetApprovalsEndedBefore(db, new Date(now.getTime() - APPROVAL_RETENTION_MS));
  await forgetRegistrantsWaitingSince(db, new Date(now.getTime() - REGISTRANT_RETENTION_MS));
  await deleteEpisodesEndedBefore(db, new Date(now.getTime() - EPISODE_RETENTION_MS));
  await purgeBodiesEndedBefore(db, [new Date(now.getTime() - MESSAGE_RETENTION_MS)]);
  await expireSplits(db, now);
  await expireClaims(deps);
  await deletePreviousSecrets(db, now);
  await autoPause(deps);
}
