import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { randomId, randomToken } from '#lib/random.ts';
import { sendEvent, sendTestEvent } from '#modules/webhooks';

/** The same, and which application is sent it. */
interface Facts extends SampleFacts {
  application: { id: string; name: string };
  publicUrl: string;
}

/** The other side of an application's events. */
const OTHER = { name: 'Sandbox', tag: 'sandbox-tag' };

const OWN_TAG = 'your-tag';

const MINUTE_MS = 60 * 1000;

const HOUR_MS = 60 * MINUTE_MS;

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** @param isOwner the tag is the application's own: else it is the requester */
const consent = (state: string, { isOwner = false }: { isOwner?: boolean } = {}) => {
  return ({ now, application, publicUrl }: Facts) => {
    const id = randomUUID();
    const consentToken = state === 'PENDING' ? `sandbox-${randomToken()}` : '';
    const requester = isOwner ? { id: randomUUID(), name: OTHER.name } : application;
    const claim = {
      id,
      tagId: randomUUID(),
      tagString: isOwner ? OWN_TAG : OTHER.tag,
      subjectId: randomUUID(),
      subjectExternalId: 'sandbox-subject',
      requestedByAppId: requester.id,
      requestedByAppName: requester.name,
      state,
      requestedAt: now,
      ...((state === 'APPROVED' || state === 'REVOKED') && { approvedAt: now }),
      ...(state === 'REVOKED' && { revokedAt: now }),
      consentToken,
      approvalUrl: consentToken && `${publicUrl}/api/v1/consent/${consentToken}`,
      tokenExpiresAt: after(now, 24 * HOUR_MS),
    };
    return { reference: id, data: claim };
  };
};

const linkOf = () => ({
  linkId: randomUUID(),
  primaryTag: OWN_TAG,
  secondaryTag: OTHER.tag,
  verificationMethod: 'OTP',
});

const federation = (status: string) => () => {
  const link = linkOf();
  return { reference: link.linkId, data: { ...link, status, verifiedBy: status === 'VERIFIED' ? 'sandbox' : '' } };
};

const challenge = ({ now }: Facts) => {
  const { linkId, primaryTag: own, secondaryTag: other, verificationMethod } = linkOf();
  const tags = { primaryTag: other, secondaryTag: own };
  const data = { linkId, ...tags, verificationMethod, token: '123456', expiresAt: after(now, 10 * MINUTE_MS) };
  return { reference: linkId, data };
};

/** @param isSender the application made the offer: else it receives one */
const transaction = (status: string, { isSender = false }: { isSender?: boolean } = {}) => {
  return ({ reference, now, application: { id, name } }: Facts) => {
    const [own, other] = [
      { tag: OWN_TAG, id, name },
      { tag: OTHER.tag, id: randomUUID(), name: OTHER.name },
    ] as const;
    const [sender, receiver] = isSender ? [own, other] : [other, own];
    const data = {
      id: randomUUID(),
      reference,
      senderTag: sender.tag,
      senderAppName: sender.name,
      senderAppId: sender.id,
      receiverTag: receiver.tag,
      receiverAppName: receiver.name,
      receiverAppId: receiver.id,
      amount: 1500.5,
      currency: 'NGN',
      status,
      narration: 'A sample of the sandbox: no money has moved.',
      expiresAt: status === 'EXPIRED' ? now : after(now, 72 * HOUR_MS),
      ...(status === 'ACCEPTED' && { acceptedAt: now }),
      ...(status === 'REJECTED' && { rejectedAt: now }),
      rejectionReason: status === 'REJECTED' ? 'not today' : '',
      createdAt: now,
      updatedAt: now,
      fee: 0,
      webhooks: [],
    };
    return { reference, data };
  };
};

/** What an application is sent of each of its events: reference and data. */
const applicationSamples = {
  CONSENT_REQUESTED: consent('PENDING', { isOwner: true }),
  CONSENT_CONFIRMED: consent('PENDING'),
  CONSENT_APPROVED: consent('APPROVED'),
  CONSENT_REJECTED: consent('REJECTED'),
  CONSENT_CANCELLED: consent('CANCELLED', { isOwner: true }),
  CONSENT_EXPIRED: consent('EXPIRED'),
  CONSENT_REVOKED: consent('REVOKED'),
  FEDERATION_CHALLENGE: challenge,
  FEDERATION_VERIFIED: federation('VERIFIED'),
  FEDERATION_REJECTED: federation('REJECTED'),
  FEDERATION_FAILED: federation('FAILED'),
  FEDERATION_EXPIRED: federation('EXPIRED'),
  FEDERATION_REVOKED: federation('REVOKED'),
  TRANSACTION_INITIATED: transaction('AWAITING_ACCEPTANCE'),
  TRANSACTION_ACCEPTED: transaction('ACCEPTED', { isSender: true }),
  TRANSACTION_REJECTED: transaction('REJECTED', { isSender: true }),
  TRANSACTION_CANCELLED: transaction('CANCELLED'),
  TRANSACTION_EXPIRED: transaction('EXPIRED', { isSender: true }),
} as const;

/** What a sample is made of. */
export interface SampleFacts {
  /** Begins with `sandbox-`. */
  reference: string;
  now: Date;
}

const COMMENT = 'A sample of the sandbox: no money has moved.';

const SAMPLE = 'A sample of the sandbox: nothing has happened.';

const movement = (isCredit: boolean) => {
  return ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      Amount: isCredit ? 1500.5 : -1500.5,
      Operation: isCredit ? 'Credit' : 'Debit',
      Transaction: {
        Amount: 1500.5,
        Fee: 0,
        Status: 'Successful',
        Reference: `${reference}-movement`,
        ExternalReference: '',
        Comment: COMMENT,
      },
      OpeningBalance: isCredit ? 0 : 1500.5,
      ClosingBalance: isCredit ? 1500.5 : 0,
      CreatedAt: now,
    },
  });
};

const paid = ({ reference, now }: SampleFacts) => ({
  reference,
  data: {
    Amount: 1000,
    Fee: 0,
    Commission: 0,
    Net: 1000,
    Reference: reference,
    Sender: 'Chidi Okafor',
    SenderDetails: { Name: 'Chidi Okafor', Paytag: '', Type: 'CARD', Currency: 'NGN', Amount: 1000, Fee: 0 },
    Recipient: 'Sandbox',
    Status: 'Successful',
    Comment: COMMENT,
    Date: now,
    CompletedAt: now,
    Metadata: {},
    Terminal: {
      SerialNumber: '',
      TerminalID: '',
      Merchant: '',
      Email: '',
      PhoneNumber: '',
      Status: '',
      PayTag: '',
      Qr: '',
      Metadata: {},
      Balance: 0,
    },
  },
});

/** Of an endpoint that there is not. */
const aboutEndpoint =
  (facts: (now: Date) => object) =>
  ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      EndpointId: '00000000-0000-7000-8000-000000000000',
      Host: 'sandbox.example',
      ...facts(now),
      CreatedAt: now,
    },
  });

const paused = aboutEndpoint((now) => ({ PausedBy: 'SYSTEM', Reason: SAMPLE, PausedAt: now }));

const recovered = aboutEndpoint((now) => ({ After: 'endpoint.paused', Since: now, RecoveredAt: now }));

const failed = aboutEndpoint((now) => ({
  DeliveryId: '00000000-0000-7000-8000-000000000000',
  Event: 'wallet.credited',
  Reference: 'sandbox',
  LastError: SAMPLE,
  Failed: 1,
  Since: now,
}));

/** Of a dispute that there is not. */
const dispute =
  (State: string, facts: (now: Date) => object = () => ({})) =>
  ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      ID: '00000000-0000-7000-8000-000000000000',
      TransactionReference: `${reference}-movement`,
      Wallet: 'sandbox',
      Amount: 1500.5,
      Currency: 'NGN',
      State,
      RespondBy: now,
      Refunded: 0,
      RefundReference: '',
      CreatedAt: now,
      ...facts(now),
    },
  });

/** Of a payout that there is not. */
const payout =
  (Status: string, facts: (now: Date) => object = () => ({})) =>
  ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      Wallet: 'sandbox',
      FailureReason: Status === 'Failed' ? 'PAYOUT_REFUSED' : '',
      BankName: 'PayTag Test Bank',
      Transaction: {
        Amount: 1500.5,
        Fee: 0,
        Status,
        Reference: reference,
        ExternalReference: '',
        Comment: COMMENT,
      },
      CreatedAt: now,
      SentAt: now,
      ...facts(now),
    },
  });

/** What a partner is sent of each of its events: reference and data. */
const partnerSamples = {
  'wallet.credited': movement(true),
  'wallet.debited': movement(false),
  'transaction.status': paid,
  'endpoint.paused': paused,
  'endpoint.recovered': recovered,
  'delivery.failed': failed,
  'dispute.opened': dispute('OPEN'),
  'dispute.expired': dispute('EXPIRED', (now) => ({ ExpiredAt: now })),
  'dispute.decided': dispute('WON', (now) => ({ DecidedAt: now })),
  'payout.sent': payout('Pending'),
  'payout.successful': payout('Successful', (now) => ({ EndedAt: now })),
  'payout.failed': payout('Failed', (now) => ({ EndedAt: now })),
  'payout.reversed': payout('Reversed', (now) => ({ EndedAt: now, ReversedAt: now })),
} as const;

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
