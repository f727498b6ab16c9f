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
import { claimDue, endMail, hold, type MailRow, postpone, setToken, TOKEN } from './mail-store.ts';
import { opened } from './queue-mail.ts';

interface About {
  /** The sender's name. */
  from: string;
  /** Undefined: the mail has no link. */
  url: string | undefined;
}

/** A moment for people to read, to the minute. */
const minuteOf = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What changed, when, and what to do if nobody asked for it. Quotes no secret. */
function mailText(
  { kind, facts, happenedAt, linkUntil }: Pick<MailRow, 'kind' | 'facts' | 'happenedAt' | 'linkUntil'>,
  { from, url }: About,
): { subject: string; text: string } {
  const until = linkUntil === null ? '' : minuteOf(linkUntil);
  const shown = (what: string) =>
    url === undefined
      ? 'The person who requested it has seen it.'
      : `The link below shows ${what} once, until ${until}. Open it where you can store it: it works for the first person who opens it.`;
  const mail = {
    CONTACT_PROOF: {
      subject: 'Is this your address?',
      what: `This address was given as the contact of ${facts.ownerName}. New secrets go there once you confirm that it is yours: follow the link below until ${until}, and press the button there.`,
      unless: 'If you do not recognise this, ignore this mail.',
    },
    API_KEY: {
      subject: 'A new API key',
      what: `${facts.ownerName} has a new API key (${facts.keyId ?? ''}) since ${minuteOf(happenedAt)}. ${shown('it')}`,
      unless: 'If nobody on your team asked for it, contact us at once: we revoke it.',
    },
    CLIENT_SECRET: {
      subject: 'A new client secret',
      what: `${facts.ownerName} has a new client secret since ${minuteOf(happenedAt)}.${facts.previousUntil === undefined ? ' The previous one no longer works.' : ` The previous one works until ${facts.previousUntil}.`} ${shown('it')}`,
      unless: 'If nobody on your team asked for it, contact us at once.',
    },
    WEBHOOK_SECRET: {
      subject: 'A new webhook secret',
      what: `Webhooks of ${facts.ownerName} are signed with a new secret since ${minuteOf(happenedAt)}.${facts.previousUntil === undefined ? ' The previous one no longer signs.' : ` The previous one signs too until ${facts.previousUntil}.`} ${shown('it')}`,
      unless: 'If nobody on your team asked for it, contact us at once.',
    },
    PARTNER_CHANGED: {
      subject: 'Your settings were changed',
      what: `Settings of ${facts.ownerName} were changed at ${minuteOf(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If nobody on your team asked for it, contact us at once.',
    },
    MONEY_FREED: {
      subject: 'Money can be spent again',
      what: `Blocked money of ${facts.ownerName} can be spent again since ${minuteOf(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If you do not know why, ask us.',
    },
    LIMIT_LIFTED: {
      subject: 'A limit was lifted',
      what: `A limit of ${facts.ownerName} was lifted at ${minuteOf(happenedAt)}: ${facts.what ?? ''}.`,
      unless: 'If you do not know why, ask us.',
    },
  }[kind];
  const lines = [mail.what, ...(url === undefined ? [] : [url]), mail.unless, from];
  return { subject: `${from}: ${mail.subject}`, text: lines.join('\n\n') };
}

/** A worker that has not reported by then counts as dead. */
const LEASE_MS = 2 * 60_000;

const AT_ONCE = 8;

const ATTEMPTS_MAX = 10;

const BACKOFF_BASE_MS = 30_000;

const BACKOFF_MAX_MS = 60 * 60_000;

/** The delay before a mail with an altered row is checked again. */
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
 * Sends the due mails. Any number of processes may run it. A mail whose worker died is sent again with a new link, which ends the
 * previous one. The token of a link is created here, and only the mail has it. A mail that the server refuses is retried up to ten
 * times, then marked failed, which is a security event. A mail whose address was altered is held until the row is restored.
 */
export async function sendMails(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const claimed = await claimDue(deps.db, [now, new Date(now.getTime() + LEASE_MS), AT_ONCE]);
  await Promise.all(claimed.map((row) => sendMail(deps, row)));
}

async function sendMail(deps: Deps, row: MailRow): Promise<void> {
  const { db, clock, log, brand, publicUrl, keyring } = deps;
  const { id, kind, ownerId, attempts } = row;
  const now = clock.now();
  if (row.recipientSealed === null) return;
  const facts = { mailId: id, kind, ownerId, attempts };
  try {
    if (attempts > ATTEMPTS_MAX) throw new Error('every worker that claimed this mail died');
    const to = opened(keyring, 'recipient', row, row.recipientSealed);
    const token = row.linkUntil === null ? undefined : randomToken();
    if (token !== undefined) {
      const tokenDigest = sha256(token);
      const routingMac = routingMacOf(keyring, TOKEN, { ...row, tokenDigest });
      await setToken(db, [id, tokenDigest, routingMac, row.linkUntil]);
    }
    const url = token === undefined ? undefined : `${publicUrl}/handover/${token}`;
    await deps.email.send({ to, ...mailText(row, { from: brand.name, url }) });
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
        await endMail(db, [id, null]);
        const owner = row.ownerKind === 'PARTNER' ? { partnerId: ownerId } : { applicationId: ownerId };
        deps.securityLog.record('owner_not_told', { ...owner, keyId: row.facts.keyId });
      }
      return;
    }
  }
  await endMail(db, [id, clock.now()]);
}

/** The owner, the sender, and where to read more. */
interface AlertFacts {
  ownerName: string;
  /** The institution's name. */
  from: string;
  guideUrl: string;
  /** How to see the state of their webhooks. */
  howTo: string;
}

const counted = (failed: number): string =>
  failed === 1 ? 'an event' : failed >= 1_000 ? 'a thousand events or more' : `${Math.max(failed, 1)} events`;

/** What happened to an owner's webhooks, since when, and what to do. Quotes no URL and no event: they may be secret. */
function alertText(
  { kind, beganAt, detail, host, failed }: EpisodeAlert,
  { ownerName, from, guideUrl, howTo }: AlertFacts,
): { subject: string; text: string } {
  const at = host === undefined ? 'your webhook URL' : `your server at ${host}`;
  const alert = {
    FAILING: {
      subject: 'Your webhooks fail',
      what: `The last deliveries to ${at} have failed. We pause, then retry automatically at growing intervals; pending events lose no attempt.`,
      todo: 'Check what your server answers. Pending events are sent when it answers 200 or 201 again; you need not resend them.',
    },
    PAUSED: {
      subject: 'Your webhooks are paused',
      what: `Nothing is sent to ${at} until it is resumed; your events are kept. The reason: ${detail ?? 'none was given'}.`,
      todo: 'When your server works again, resume it; if an operator paused it, ask us.',
    },
    FAILED: {
      subject: 'Webhooks were not delivered',
      what: `All five attempts to deliver ${counted(failed)} to ${at} have failed.`,
      todo: 'Check what your server answered, and resend the events that are not resent automatically.',
    },
    BACKLOG: {
      subject: 'Your webhooks are more than an hour late',
      what: `Deliveries to ${at} have been waiting for more than an hour.`,
      todo: 'Make sure that your server answers within ten seconds, and takes more requests at the same time.',
    },
  }[kind];
  const text = [
    `${ownerName}:`,
    alert.what,
    `Since: ${beganAt.toISOString()}`,
    `What to do: ${alert.todo}`,
    howTo,
    `The guide: ${guideUrl}`,
    `We send one mail for each such incident. ${from}`,
  ].join('\n\n');
  return { subject: `${from}: ${alert.subject}`, text };
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
 * Mails the owners of receivers that do not accept their deliveries, once for each episode: a partner's contact, or an
 * application's address, if there is one. Any number of processes may run it. An alert whose worker died is not sent again, since
 * it may have been sent; one that the mail server refused is tried ten times.
 */
export async function sendWebhookAlerts(deps: AlertDeps): Promise<void> {
  const taken = await takeAlerts(deps.db, AT_ONCE);
  await Promise.all(taken.map((episode) => sendAlert(deps, episode)));
}

async function sendAlert(deps: AlertDeps, episode: EpisodeAlert): Promise<void> {
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
