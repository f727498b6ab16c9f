import { sha256 } from '#lib/crypto/digest.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { randomId } from '#lib/random.ts';
import { type AuthenticatedApplication, registerApplication, registerSubject } from '#modules/clients';
import { asMinor, type Charge, type Currency, chargeOn, type Minor } from '#modules/ledger';
import { initiateTransaction, type TransactionView } from '#modules/offers';
import { isReserved } from '#modules/reserved-names';
import { createApplicationTag, findTag } from '#modules/tags';
import { fundApplication } from '#modules/treasury';
import { insertCounterpart, selectCounterpart } from './store.ts';
import { actorOf } from './test-money.ts';

/**
 * A handle for the application that offers test money. Random letters can spell a reserved name, e.g. that of
 * the EFCC: then others are drawn.
 */
export function testSenderTag(draw: () => string = randomId): string {
  for (;;) {
    const tag = `test-sender-${draw().slice(0, 6)}`;
    if (!isReserved(tag)) return tag;
  }
}

/** Whose tag offers money in the sandbox. */
const COUNTERPART = 'Test Sender';

type CounterpartDeps = DepsOf<typeof registerApplication> &
  DepsOf<typeof registerSubject> &
  DepsOf<typeof createApplicationTag>;

/**
 * A test sender offers money to a tag of the application, through the switch, as another application does: it is held, the event
 * goes out, and the application accepts or rejects it. The sender is the sandbox's own and always has the money. Repeated,
 * nothing is offered again.
 *
 * @throws DomainError TAG_NOT_FOUND, also for a tag that is not the application's, and as `initiateTransaction`
 */
export async function offerToApplication(
  deps: CounterpartDeps &
    DepsOf<typeof fundApplication> &
    DepsOf<typeof initiateTransaction> & { fees: { switch: Charge } },
  {
    applicationId,
    reference: named,
    ...offer
  }: {
    applicationId: string;
    receiverTag: string;
    amount: Minor;
    currency: Currency;
    reference: string;
    narration?: string | undefined;
    expiresAt?: Date | undefined;
  },
): Promise<TransactionView> {
  const receiver = await findTag(deps.db, deps.keyring, offer.receiverTag);
  if (receiver?.ownerApp.id !== applicationId) {
    throw new DomainError('TAG_NOT_FOUND', 'receiverTag: this application has no such tag');
  }
  const counterpart = (await selectCounterpart(deps.db, {})) ?? (await makeCounterpart(deps));
  const reference = `sandbox-${sha256(applicationId).toString('hex').slice(0, 8)}-${named}`;
  await fundApplication(deps, {
    actor: actorOf(applicationId),
    applicationId: counterpart.applicationId,
    amount: asMinor(offer.amount + chargeOn(offer.amount, deps.fees.switch)),
    currency: offer.currency,
    reference,
    reason: 'test money',
  });
  return initiateTransaction(deps, {
    ...offer,
    applicationId: counterpart.applicationId,
    senderTag: counterpart.tag,
    reference,
  });
}

/** Made when it is first needed. Of several made at the same time one is kept. */
async function makeCounterpart(deps: CounterpartDeps) {
  const { id, namespace } = await registerApplication(
    { ...deps, applicationRegistration: 'open' },
    { name: COUNTERPART },
  );
  const caller: AuthenticatedApplication = { id, name: COUNTERPART, namespace };
  await registerSubject(deps, caller, { externalId: 'sender', displayName: COUNTERPART });
  const tag = testSenderTag();
  await createApplicationTag(deps, caller, { tagString: tag, externalId: 'sender' });
  await insertCounterpart(deps.db, { applicationId: id, tag });
  const kept = await selectCounterpart(deps.db, {});
  if (kept === undefined) throw new Error('the counterpart was made and is not there');
  return kept;
}
