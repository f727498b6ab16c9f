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
import { type EpisodeAlert, markAlerted, retryAlert, takeAlerts } from '#modules/webhooks';
import { type EmailProvider, EmailProviderDown } from '../../providers/email/port.ts';
import { contactOf } from './contacts.ts';
import { claimDue, endLetter, hold, type LetterRow, postpone, setToken, TOKEN } from './letter-store.ts';
import { opened } from './queue-mail.ts';

interface About {
  /** Who writes. */
  from: string;
  /** The link in it, where it has one. */
  url: string | undefined;
}

/** A moment as anybody reads it, to the minute. */
const minuteOf = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What was done, when, and what to do if it should not have been. No secret is quoted. */
function letterText(
  { kind, facts, happenedAt, linkUntil }: Pick<LetterRow, 'kind' | 'facts' | 'happenedAt' | 'linkUntil'>,
  { from, url }: About,
): { subject: string; text: string } {
  const until = linkUntil === null ? '' : minuteOf(linkUntil);
  const shown = (what: string) =>
    url === undefined
      ? `It was shown to whoever asked for it.`
      : `The link below shows ${what} once, until ${until}. Open it where you can keep it; whoever opens it first has it.`;
  const told = {
    CONTACT_PROOF: {
      subject: 'Is this your address?',
      what: `This address was given as the contact of ${facts.ownerName}. New secrets go to it once you have said that it is yours: follow the link below until ${until}, and press the button there.`,
      unless: 'If you know nothing of it, do nothing.',
    },
    API_KEY: {
      subject: 'A new API key',
      what: `${facts.ownerName} has a new API key (${facts.keyId ?? ''}) since ${minuteOf(happenedAt)}. ${shown('it')}`,
      unless: 'If nobody of yours asked for it, tell us at once: we revoke it.',
    },
    CLIENT_SECRET: {
      subject: 'A new client secret',
      what: `${facts.ownerName} has a new client secret since ${minuteOf(happenedAt)}.${facts.previousUntil === undefined ? ' The one before is taken no more.' : ` The one before is taken until ${facts.previousUntil}.`} ${shown('it')}`,
      unless: 'If nobody of yours asked for it, tell us at once.',
    },
    WEBHOOK_SECRET: {
      subject: 'A new webhook secret',
      what: `Webhooks of ${facts.ownerName} are signed with a new secret since ${minuteOf(happenedAt)}.${facts.previousUntil === undefined ? ' The one before signs no more.' : ` The one before signs too until ${facts.previousUntil}.`} ${shown('it')}`,
      unless: 'If nobody of yours asked for it, tell us at once.',
    },
    PARTNER_CHANGED: {
      subject: 'Your settings were changed',
      what: `Of ${facts.ownerName} there was changed at ${minuteOf(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If nobody of yours asked for it, tell us at once.',
    },
    MONEY_FREED: {
      subject: 'Money can be spent again',
      what: `At ${facts.ownerName} money that was kept back can be spent again since ${minuteOf(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If you do not know why, ask us.',
    },
    LIMIT_LIFTED: {
      subject: 'A limit was lifted',
      what: `A limit of ${facts.ownerName} was lifted at ${minuteOf(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If you do not know why, ask us.',
    },
  }[kind];
  const lines = [told.what, ...(url === undefined ? [] : [url]), told.unless, from];
  return { subject: `${from}: ${told.subject}`, text: lines.join('\n\n') };
}

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
      const routingMac = routingMacOf(keyring, TOKEN, { ...row, tokenDigest });
      await setToken(db, [id, tokenDigest, routingMac, row.linkUntil]);
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
          { event: 'mail.retry', err, ...facts },
          'a mail to the owner of a partner or application was not sent: it will be retried',
        );
        const delayMs = Math.min(BACKOFF_BASE_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
        await postpone(db, [id, new Date(now.getTime() + delayMs)]);
      } else {
        log.error({ event: 'mail.failed', err, ...facts }, 'a mail to the owner of a partner or application failed');
        await endLetter(db, [id, null]);
        const owner = row.ownerKind === 'PARTNER' ? { partnerId: ownerId } : { applicationId: ownerId };
        deps.securityLog.record('owner_not_told', { ...owner, keyId: row.facts.keyId });
      }
      return;
    }
  }
  await endLetter(db, [id, clock.now()]);
}

/** Who is told, by whom, and where they read on. */
interface AlertFacts {
  ownerName: string;
  /** Of the institution. */
  from: string;
  guideUrl: string;
  /** How their webhooks are looked after. */
  howTo: string;
}

const counted = (failed: number): string =>
  failed === 1 ? 'an event' : failed >= 1_000 ? 'a thousand events or more' : `${Math.max(failed, 1)} events`;

/** What happened to an owner's webhooks, since when, and what to do. No URL and no event is quoted: they may be secrets. */
function alertText(
  { kind, beganAt, detail, host, failed }: EpisodeAlert,
  { ownerName, from, guideUrl, howTo }: AlertFacts,
): { subject: string; text: string } {
  const at = host === undefined ? 'your webhook URL' : `your server at ${host}`;
  const told = {
    FAILING: {
      subject: 'Your webhooks fail',
      what: `The last deliveries to ${at} have failed. We give it a break and try again by ourselves, at growing intervals; what waits loses no attempt.`,
      todo: 'Look at what your server answers. Nothing else is to be done: what waits goes out when it answers 200 or 201 again.',
    },
    PAUSED: {
      subject: 'Your webhooks are paused',
      what: `Nothing is sent to ${at} until it is resumed; your events are kept. The reason: ${detail ?? 'none was given'}.`,
      todo: 'When your server is well, resume it, or ask us where an operator has paused it.',
    },
    FAILED: {
      subject: 'Webhooks were not delivered',
      what: `Of ${counted(failed)} the last of five attempts at ${at} has failed.`,
      todo: 'Look at what your server answered, and resend what is not sent again by itself.',
    },
    BACKLOG: {
      subject: 'Your webhooks are more than an hour late',
      what: `Deliveries to ${at} have been waiting for more than an hour.`,
      todo: 'See that your server answers within ten seconds, and more of them at once.',
    },
  }[kind];
  const text = [
    `${ownerName}:`,
    told.what,
    `Since: ${beganAt.toISOString()}`,
    `What to do: ${told.todo}`,
    howTo,
    `The guide: ${guideUrl}`,
    `You are told once of each such time. ${from}`,
  ].join('\n\n');
  return { subject: `${from}: ${told.subject}`, text };
}

const TRIES_MAX = 10;

type AlertDeps = {
  db: Database;
  keyring: Keyring;
  log: Logger;
  email: EmailProvider;
  brand: Brand;
  publicUrl: string;
};

/**
 * Mails the owners of receivers that do not take their deliveries, once for each episode: a partner's contact, or an
 * application's address; who has none is not told. Any number of processes may do so at once. What a process took that died
 * is not told again, for nobody knows whether it was; what the mail server certainly did not take is tried ten times.
 */
export async function sendWebhookAlerts(deps: AlertDeps): Promise<void> {
  const taken = await takeAlerts(deps.db, AT_ONCE);
  await Promise.all(taken.map((episode) => tell(deps, episode)));
}

async function tell(deps: AlertDeps, episode: EpisodeAlert): Promise<void> {
  const { db, log, brand, publicUrl } = deps;
  const { id, kind, tries, owner } = episode;
  const contact = await contactOf(deps, owner);
  if (contact?.email === undefined) return;
  const isPartner = owner.ownerKind === 'PARTNER';
  const facts = {
    ownerName: contact.name,
    from: brand.name,
    guideUrl: `${publicUrl}/docs/webhooks`,
    howTo: isPartner
      ? 'GET /v2/partner/webhook shows how it is doing, and GET /v2/partner/webhook/deliveries?status=FAILED what failed, with each answer.'
      : 'GET /api/v1/applications/webhook shows how it is doing.',
  };
  try {
    await deps.email.send({ to: contact.email, ...alertText(episode, facts) });
  } catch (err) {
    const mayHaveSent = err instanceof EmailProviderDown && err.mayHaveSent;
    if (!mayHaveSent) {
      const again = err instanceof EmailProviderDown && tries < TRIES_MAX;
      const line = {
        event: again ? 'webhook_alert.retry' : 'webhook_alert.failed',
        err,
        episode: id,
        kind,
        ownerId: owner.ownerId,
        tries,
      };
      if (again) log.warn(line, 'the owner of a webhook receiver was not notified: it will be retried');
      else log.error(line, 'the owner of a webhook receiver was not notified');
      if (again) await retryAlert(db, id, Math.min(BACKOFF_BASE_MS * 2 ** (tries - 1), BACKOFF_MAX_MS));
      return;
    }
  }
  await markAlerted(db, id);
}
