import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { registerApplication, registerSubject } from '#modules/clients';
import { requestClaim } from '#modules/consent';
import { asMinor } from '#modules/ledger';
import { initiateTransaction } from '#modules/offers';
import { createApplicationTag } from '#modules/tags';
import { addressPolicy } from '#modules/webhooks';
import type { DemoCredentials } from './credentials-file.ts';

const FARE = asMinor(2_500_00n);
/** An hour less than the longest that a transaction can be pending. */
const PENDING_MS = (30 * 24 - 1) * 60 * 60 * 1000;
/** The discard port (RFC 863), on which nothing listens: a webhook to it is refused on this machine. */
const UNREACHABLE_URL = 'http://127.0.0.1:9/webhooks';

/**
 * Creates two applications with a tag each. Market has asked for Ada's consent, and has offered Rides money. The webhook
 * that tells Rides so fails at every attempt, where webhooks may go to loopback addresses.
 *
 * @param handles Ada's PayTag, and free handles for the tags of the applications
 */
export async function createApplications(
  deps: DepsOf<typeof createApplication> &
    DepsOf<typeof requestClaim> &
    DepsOf<typeof initiateTransaction> & { webhooks: { allowedCidrs: readonly string[] }; clock: Clock },
  handles: { ada: string; market: string; rides: string },
): Promise<Pick<DemoCredentials, 'applications' | 'consent'>> {
  const mayUseLoopback = addressPolicy(deps.webhooks.allowedCidrs)('127.0.0.1', 'http:');
  const market = await createApplication(deps, { name: 'Market', tag: handles.market });
  const rides = await createApplication(deps, {
    name: 'Rides',
    tag: handles.rides,
    webhookUrl: mayUseLoopback ? UNREACHABLE_URL : undefined,
  });

  const asked = await requestClaim(deps, market.caller, { address: handles.ada, externalId: 'till' });
  await initiateTransaction(deps, {
    applicationId: market.caller.id,
    senderTag: handles.market,
    receiverTag: handles.rides,
    amount: FARE,
    currency: 'NGN',
    reference: 'demo-fare',
    narration: 'A ride to the market',
    expiresAt: new Date(deps.clock.now().getTime() + PENDING_MS),
  });
  const consent = { token: asked.consentToken ?? '', until: asked.tokenExpiresAt.toISOString() };
  return { applications: [rides.credentials, market.credentials], consent };
}

async function createApplication(
  deps: DepsOf<typeof registerApplication> & DepsOf<typeof registerSubject> & DepsOf<typeof createApplicationTag>,
  { name, tag, webhookUrl }: { name: string; tag: string; webhookUrl?: string | undefined },
) {
  const { id, namespace, clientId, clientSecret } = await registerApplication(deps, {
    name: `Demo ${name}`,
    webhookUrl,
  });
  const caller = { id, name: `Demo ${name}`, namespace };
  await registerSubject(deps, caller, { externalId: 'till', displayName: `${name}, first till` });
  await createApplicationTag(deps, caller, { tagString: tag, externalId: 'till' });
  return { caller, credentials: { name: caller.name, clientId, clientSecret, tag } };
}
