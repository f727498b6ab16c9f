import type { Logger } from 'pino';
import type { Brand } from '#lib/brand.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { timeOrderedId } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { AddressRefused, MessagingProviderDown, type TextProvider } from '../../providers/messaging/port.ts';
import { type Contacts, findCustomer, findHandles } from './customer.ts';
import { claimDue, endNotice, holdNotice, insertNotices, type NoticeRow, partnerNames, postpone } from './store.ts';

const RECIPIENT = {
  table: 'notices.notice',
  column: 'recipient_sealed',
  row: ['id', 'customer_id', 'partner_id', 'channel', 'kind', 'detail', 'happened_at'],
} as const;

/** What a rekey seals again. */
export const sealedColumns: readonly SealedColumn[] = [RECIPIENT];

/** What a notice says, and to whom. */
type NoticeContent = Pick<NoticeRow, 'id' | 'customerId' | 'channel' | 'kind' | 'happenedAt'> & {
  partnerId?: string | null | undefined;
  detail?: string | null | undefined;
};

const rowOf = ({ id, customerId, partnerId, channel, kind, detail, happenedAt }: NoticeContent) => [
  id,
  customerId,
  partnerId,
  channel,
  kind,
  detail,
  happenedAt,
];

/** Where a notice goes; undefined once it is sent. */
export const recipientOf = (keyring: Keyring, row: NoticeRow): string | undefined =>
  row.recipientSealed === null ? undefined : keyring.open(RECIPIENT, rowOf(row), row.recipientSealed);

/** What was done with a customer's PayTag. */
export interface CustomerEvent {
  customerId: string;
  /** The partner that it was done through; undefined: the time did it. */
  partnerId: string | undefined;
  kind: NoticeRow['kind'];
  /** Of a contact change: what is to come into force, in words, e.g. `phone +234*******67 from 23 Nov 2026, 15:04`. */
  detail?: string | undefined;
  now: Date;
}

/**
 * Writes a notice to a customer of what was done with their PayTag, to each of their proven contacts, in the transaction of
 * the change; a worker sends it after the commit. Call it before a contact changes: the old one gets the notice.
 */
export async function notifyCustomer(tx: Tx, { keyring }: { keyring: Keyring }, event: CustomerEvent): Promise<void> {
  const { customerId, partnerId, kind, detail, now } = event;
  const customer = await findCustomer(tx, keyring, customerId);
  if (customer === undefined) throw new Error('a notice is for a customer');
  const notice = { customerId, partnerId, kind, detail, happenedAt: now, dueAt: now };
  await insertNotices(
    tx,
    recipientsOf(customer.proven).map(({ channel, to }) => {
      const one = { ...notice, id: timeOrderedId(now), channel };
      return { ...one, recipientSealed: keyring.seal(RECIPIENT, rowOf(one), to) };
    }),
  );
}

const recipientsOf = ({ phone, email }: Contacts): { channel: NoticeRow['channel']; to: string }[] => [
  ...(phone === undefined ? [] : [{ channel: 'sms' as const, to: phone }]),
  ...(email === undefined ? [] : [{ channel: 'email' as const, to: email }]),
];

/** A moment as a customer reads it: in Lagos. */
export const momentText = (moment: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', dateStyle: 'medium', timeStyle: 'short' }).format(
    moment,
  );

const RESET = 'reset your password now, in any app that uses PayTag';

/**
 * Who did what and when, and what to do if it was not the customer: short enough for a text message.
 *
 * @param about.from the sender
 */
function noticeText(
  { kind, detail, happenedAt }: Pick<NoticeRow, 'kind' | 'detail' | 'happenedAt'>,
  { tag, partnerName, from }: { tag: string; partnerName: string; from: string },
): { subject: string; text: string } {
  const at = momentText(happenedAt);
  const wording = {
    CREATED: {
      subject: 'A PayTag was made for you',
      text: `${partnerName} made the PayTag ${tag} for you, by your BVN (${at}). It is yours: set its password in any app that uses PayTag. If you do not know why, ask them.`,
    },
    LINKED: {
      subject: 'Your PayTag was linked',
      text: `${partnerName} linked your PayTag ${tag} by your BVN (${at}). If you do not know why, ask them.`,
    },
    FIRST_LOGIN: {
      subject: 'A first login with your PayTag',
      text: `First login to PayTag ${tag} at ${partnerName} (${at}). If it was not you, ${RESET}.`,
    },
    PASSWORD_RESET: {
      subject: 'Your PayTag password was changed',
      text: `The password of PayTag ${tag} was changed at ${partnerName} (${at}). If it was not you, ${RESET}.`,
    },
    CONTACT_CHANGE: {
      subject: 'A contact of your PayTag changes',
      text: `PayTag ${tag} gets the ${detail}, asked for at ${partnerName} (${at}). If it was not you, ${RESET}: that stops it.`,
    },
    CONTACT_CHANGE_CANCELLED: {
      subject: 'A contact of your PayTag does not change',
      text: `The change of the contact of PayTag ${tag} was cancelled at ${partnerName} (${at}). If it was not you, ${RESET}.`,
    },
    RELEASED: {
      subject: 'Your PayTag can be used again',
      text: `${partnerName} let PayTag ${tag} and its wallets be used again (${at}). If you do not know why, ask them.`,
    },
  }[kind];
  return { subject: wording.subject, text: `${from} notice: ${wording.text}` };
}

/** A worker that has not reported by then counts as dead. */
const LEASE_MS = 2 * 60_000;

const AT_ONCE = 8;

/** In one run at most; the rest waits for the next. */
const BATCHES_MAX = 25;

const ATTEMPTS_MAX = 10;

const BACKOFF_BASE_MS = 30_000;

const BACKOFF_MAX_MS = 60 * 60_000;

/** When a notice that is not as we stored it is looked at again. */
const HELD_MS = 5 * 60_000;

type Deps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  securityLog: SecurityLog;
  texts: TextProvider;
  brand: Brand;
};

/**
 * Sends the notices that are due. Several processes may do so at the same time. When one dies, another takes over after its
 * lease: a message may then be sent twice, and is never lost. One of which the provider did not say whether it took it
 * counts as sent. After ten refusals it is given up. One that is not as we stored it waits until it is.
 */
export async function sendNotices(deps: Deps, closing?: AbortSignal): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (closing?.aborted === true) return;
    const claimed = await claimDue(deps.db, { now: deps.clock.now(), leaseMs: LEASE_MS, limit: AT_ONCE });
    const partners = claimed.map(({ partnerId }) => partnerId).filter((id) => id !== null);
    const names = await partnerNames(deps.db, partners);
    const handles = await findHandles(
      deps.db,
      claimed.map(({ customerId }) => customerId),
    );
    await Promise.all(
      claimed.map((row) =>
        send(deps, row, {
          tag: handles.get(row.customerId) ?? '',
          partnerName: names.get(row.partnerId ?? '') ?? deps.brand.name,
          from: deps.brand.name,
        }),
      ),
    );
    if (claimed.length < AT_ONCE) return;
  }
}

async function send(deps: Deps, row: NoticeRow, about: Parameters<typeof noticeText>[1]): Promise<void> {
  const { db, clock, log } = deps;
  const facts = { notice: row.id, kind: row.kind, channel: row.channel, attempts: row.attempts };
  try {
    if (row.attempts > ATTEMPTS_MAX) throw new Error('each worker that took it up died');
    const to = recipientOf(deps.keyring, row);
    if (to === undefined) return;
    await deps.texts.sendText({ channel: row.channel, to, ...noticeText(row, about) });
  } catch (err) {
    if (err instanceof AlteredRecord) {
      deps.securityLog.record('stored_record_altered', { record: err.record });
      await holdNotice(db, row.id, new Date(clock.now().getTime() + HELD_MS));
      return;
    }
    const mayHaveSent = err instanceof MessagingProviderDown && err.mayHaveSent;
    if (!mayHaveSent && (err instanceof AddressRefused || row.attempts >= ATTEMPTS_MAX)) {
      log.error({ event: 'notice.failed', err, ...facts }, 'a notice to a customer could not be sent; it is abandoned');
      await endNotice(db, row.id, null);
      return;
    }
    if (!mayHaveSent) {
      log.warn({ event: 'notice.retry', err, ...facts }, 'a notice to a customer could not be sent; a worker retries');
      const delayMs = Math.min(BACKOFF_BASE_MS * 2 ** (row.attempts - 1), BACKOFF_MAX_MS);
      await postpone(db, row.id, new Date(clock.now().getTime() + delayMs));
      return;
    }
  }
  await endNotice(db, row.id, clock.now());
}
