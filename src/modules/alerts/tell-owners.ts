import type { Logger } from 'pino';
import type { Brand } from '#lib/brand.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { markTold, takeUntold, tellLater, type UntoldEpisode } from '#modules/webhooks';
import { type EmailProvider, EmailProviderDown } from '../../providers/email/port.ts';
import { alertText } from './alert-text.ts';
import { contactOf } from './owner-letters.ts';

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
export async function tellOwners(deps: Deps): Promise<void> {
  const taken = await takeUntold(deps.db, AT_ONCE);
  await Promise.all(taken.map((episode) => tell(deps, episode)));
}

async function tell(deps: Deps, episode: UntoldEpisode): Promise<void> {
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
      if (again) await tellLater(db, id, Math.min(BACKOFF_BASE_MS * 2 ** (tries - 1), BACKOFF_MAX_MS));
      return;
    }
  }
  await markTold(db, id);
}
