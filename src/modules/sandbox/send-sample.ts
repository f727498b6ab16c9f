import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { randomId } from '#lib/random.ts';
import { sendEvent, sendTestEvent } from '#modules/webhooks';
import { applicationSamples } from './application-samples.ts';
import { partnerSamples } from './partner-samples.ts';

const TEST_EVENT = 'webhook.test';

type PartnerSample = keyof typeof partnerSamples;
type ApplicationSample = keyof typeof applicationSamples;

const namesOf = <Samples extends object>(samples: Samples) => Object.keys(samples) as (keyof Samples & string)[];

/** The events of a partner that can be sent without anything having happened. */
export const partnerEvents = [...namesOf(partnerSamples), TEST_EVENT] as const;
/** The same of an application. */
export const applicationEvents = [...namesOf(applicationSamples), TEST_EVENT] as const;

type Deps = DepsOf<typeof sendEvent> & { clock: Clock; publicUrl: string };

/**
 * Sends an event as it really looks to the partner's own receiver. It reports nothing: every reference in it begins with
 * `sandbox-`, and its comment says so.
 *
 * @returns its delivery, due at once
 * @throws DomainError as `sendEvent`
 */
export async function sendPartnerSample(
  deps: Deps,
  { partnerId, event }: { partnerId: string; event: PartnerSample | typeof TEST_EVENT },
): ReturnType<typeof sendEvent> {
  if (event === TEST_EVENT) return sendTestEvent(deps, partnerId);
  return sendSample(deps, partnerId, event, partnerSamples[event](factsOf(deps)));
}

/**
 * Sends an event as it really looks to the application's own receiver. It reports nothing: what it is about, claim, link or
 * transaction, is nowhere, and where it has a text that says so it does.
 *
 * @returns its delivery, due at once
 * @throws DomainError as `sendEvent`
 */
export async function sendApplicationSample(
  deps: Deps,
  { application, event }: { application: { id: string; name: string }; event: ApplicationSample | typeof TEST_EVENT },
): ReturnType<typeof sendEvent> {
  if (event === TEST_EVENT) return sendTestEvent(deps, application.id);
  const facts = { ...factsOf(deps), application, publicUrl: deps.publicUrl };
  return sendSample(deps, application.id, event, applicationSamples[event](facts));
}

const factsOf = ({ clock }: Deps) => ({ reference: `sandbox-${randomId()}`, now: clock.now() });

const sendSample = (
  deps: Deps,
  ownerId: string,
  event: string,
  { reference, data }: { reference: string; data: object },
) => sendEvent(deps, ownerId, { event, reference, body: JSON.stringify({ event, reference, data }) });
