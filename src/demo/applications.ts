import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { registerApplication, registerSubject } from '#modules/applications';
import { requestClaim } from '#modules/claims';
import { asMinor } from '#modules/ledger';
import { initiateTransaction } from '#modules/tag-transactions';
import { createApplicationTag } from '#modules/tags';
import { addressPolicy } from '#modules/webhooks';
import { freeHandle } from './free-handle.ts';
import type { DemoNotes } from './notes.ts';

const FARE = asMinor(2_500_00n);
/** The longest that a transaction may wait, less an hour. */
const WAITS_MS = (30 * 24 - 1) * 60 * 60 * 1000;
/** The discard port, where nobody listens: what is sent there is refused on this machine and goes no further. */
const NOBODY_LISTENS = 'http://127.0.0.1:9/webhooks';

/**
 * Two applications with a tag each. Market asks Ada's consent, and has offered Rides money; Rides' webhook, which tells
 * it so, is refused until its attempts are used up.
 */
export async function enrolApplications(
  deps: DepsOf<typeof enrol> &
    DepsOf<typeof requestClaim> &
    DepsOf<typeof initiateTransaction> & { webhooks: { allowedCidrs: readonly string[] }; clock: Clock },
  paytag: string,
): Promise<Pick<DemoNotes, 'applications' | 'consent'>> {
  const mayGoThere = addressPolicy(deps.webhooks.allowedCidrs)('127.0.0.1', 'http:');
  const market = await enrol(deps, 'Market');
  const rides = await enrol(deps, 'Rides', mayGoThere ? NOBODY_LISTENS : undefined);

  const asked = await requestClaim(deps, market.caller, { address: paytag, externalId: 'till' });
  await initiateTransaction(deps, {
    applicationId: market.caller.id,
    senderTag: market.note.tag,
    receiverTag: rides.note.tag,
    amount: FARE,
    currency: 'NGN',
    reference: 'demo-fare',
    narration: 'A ride to the market',
    expiresAt: new Date(deps.clock.now().getTime() + WAITS_MS),
  });
  const consent = { token: asked.consentToken ?? '', until: asked.tokenExpiresAt.toISOString() };
  return { applications: [rides.note, market.note], consent };
}

async function enrol(
  deps: DepsOf<typeof registerApplication> &
    DepsOf<typeof registerSubject> &
    DepsOf<typeof freeHandle> &
    DepsOf<typeof createApplicationTag>,
  name: string,
  webhookUrl?: string,
) {
  const { id, namespace, clientId, clientSecret } = await registerApplication(deps, {
    name: `Demo ${name}`,
    webhookUrl,
  });
  const caller = { id, name: `Demo ${name}`, namespace };
  await registerSubject(deps, caller, { externalId: 'till', displayName: `${name}, first till` });
  const tagString = await freeHandle(deps, name.toLowerCase());
  await createApplicationTag(deps, caller, { tagString, externalId: 'till' });
  return { caller, note: { name: caller.name, clientId, clientSecret, tag: tagString } };
}
