import type { Logger } from 'pino';
import type { Brand } from '#lib/brand.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type EpisodeAlert, markAlerted, retryAlert, takeAlerts } from '#modules/webhooks';
import { type EmailProvider, EmailProviderDown } from '../../providers/email/port.ts';
import { contactOf } from './owner-letters.ts';

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

const AT_ONCE = 8;
const TRIES_MAX = 10;
const BACKOFF_BASE_MS = 30_000;
const BACKOFF_MAX_MS = 60 * 60_000;

type Deps = { db: Database; keyring: Keyring; log: Logger; email: EmailProvider; brand: Brand; publicUrl: string };

/**
 * Mails the owners of receivers that do not take their deliveries, once for each episode: a partner's contact, or an
 * application's address; who has none is not told. Any number of processes may do so at once. What a process took that died
 * is not told again, for nobody knows whether it was; what the mail server certainly did not take is tried ten times.
 */
export async function sendWebhookAlerts(deps: Deps): Promise<void> {
  const taken = await takeAlerts(deps.db, AT_ONCE);
  await Promise.all(taken.map((episode) => tell(deps, episode)));
}

async function tell(deps: Deps, episode: EpisodeAlert): Promise<void> {
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
      const line = { err, episode: id, kind, ownerId: owner.ownerId, tries };
      if (again) log.warn(line, 'the owner of a webhook receiver could not be told and will be told later');
      else log.error(line, 'the owner of a webhook receiver could not be told');
      if (again) await retryAlert(db, id, Math.min(BACKOFF_BASE_MS * 2 ** (tries - 1), BACKOFF_MAX_MS));
      return;
    }
  }
  await markAlerted(db, id);
}
