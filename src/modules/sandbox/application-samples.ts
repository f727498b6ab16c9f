import { randomUUID } from 'node:crypto';
import { randomToken } from '#lib/random.ts';
import type { SampleFacts } from './partner-samples.ts';

/** The same, and which application is sent it. */
interface Facts extends SampleFacts {
  application: { id: string; name: string };
  publicUrl: string;
}

/** Who is on the other side of what an application is told. */
const OTHER = { name: 'Sandbox', tag: 'sandbox-tag' };
const OWN_TAG = 'your-tag';
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** @param isOwner the application is told of a tag of its own: else it is the one that asked for consent */
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

/** @param isSender the application is told of what it offered: else somebody offers it money */
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
export const applicationSamples = {
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
