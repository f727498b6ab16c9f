import { z } from 'zod';
import type { Attestation } from '#modules/consent';
import { type Federation, type Link, linkStatuses } from '#modules/consent';
import { type TransactionView, tagTransactionData, type WebhookRecord } from '#modules/offers';
import { toDeliveryProgress } from '#wire/delivery.ts';
import { momentOut } from '#wire/moment.ts';
import { tagParams } from '#wire/tag.ts';
import { optional, webUrl } from '#wire/text.ts';
import { switchTransaction, webhookDeliveryShape } from '#wire/transaction.ts';

/** The path of an operation on one claim: the tag, and the claim's id. */
export const claimParams = tagParams.extend({ claimId: z.uuid() });

/** The path of an operation on one link: the primary tag, and the link's id. */
export const linkParams = tagParams.extend({ linkId: z.uuid() });

/** The path of an operation on one transaction: its id as PostgreSQL writes it, which log lines and look-ups compare. */
export const transactionParams = z.object({ id: z.uuid().toLowerCase() });

export const attestationShape = z
  .object({
    token: z.string().meta({
      description: 'A JWT (ES256, typ consent-attestation+jwt) for the requesting application, verifiable by JWKS',
    }),
    expiresAt: z.int().meta({ description: 'Seconds since 1970' }),
    tag: z.string(),
    subjectId: z.string(),
    consentId: z.string(),
  })
  .meta({ id: 'ConsentAttestation' }) satisfies z.ZodType<Attestation>;

export const linkShape = z
  .object({
    id: z.uuid(),
    linkedTag: z.string().meta({ example: 'bola' }),
    status: z.enum(linkStatuses),
    verifiedBy: z.string().optional().meta({ description: 'How and by whom', example: 'OTP:acme' }),
    approvalUrl: z.string().optional().meta({
      description: 'While a customer’s consent is PENDING: where they give it in person',
    }),
    createdAt: momentOut,
  })
  .meta({ id: 'Link' });

/** A link, for the application that started it and for the linked tag's. */
export const toLink = ({ createdAt, ...link }: Link): z.input<typeof linkShape> => ({
  ...link,
  createdAt: createdAt.toISOString(),
});

export const federationShape = z
  .object({
    id: z.uuid(),
    primaryTag: z.string().meta({ example: 'ada' }),
    links: z.array(linkShape).meta({ description: 'Newest first' }),
    createdAt: momentOut,
  })
  .meta({ id: 'Federation' });

/** A tag with what is linked to it, as far as the caller may see it. */
export const toFederation = ({ id, primaryTag, links, createdAt }: Federation): z.input<typeof federationShape> => ({
  id,
  primaryTag,
  links: links.map(toLink),
  createdAt: createdAt.toISOString(),
});

export const switchTransactionShape = switchTransaction
  .extend({
    status: z.enum([...switchTransaction.shape.status.options, 'DECLINED']).meta({
      description: 'DECLINED: refused when it was asked for. Only the sender sees such a one',
    }),
    failureReason: z.string().optional().meta({
      description: 'Of a DECLINED one: the errorCode that it was declined with',
      example: 'INSUFFICIENT_FUNDS',
    }),
    webhooks: z.array(webhookDeliveryShape).meta({ description: 'The notifications of it to the calling application' }),
  })
  .meta({ id: 'SwitchTransaction' });

/** A transaction as one of its applications sees it, with the webhooks that this application was sent of it. */
export const toSwitchTransaction = (transaction: TransactionView): z.input<typeof switchTransactionShape> => {
  const { failureReason } = transaction;
  const webhooks = transaction.webhooks.map((record) => toWebhookDelivery(record, transaction));
  return { ...tagTransactionData(transaction), failureReason, webhooks };
};

const toWebhookDelivery = (
  record: WebhookRecord,
  transaction: TransactionView,
): z.input<typeof webhookDeliveryShape> => ({
  id: record.id,
  transactionId: transaction.id,
  transactionReference: transaction.reference,
  applicationId: record.applicationId,
  applicationName: record.applicationName,
  direction: record.direction,
  targetUrl: record.targetUrl ?? undefined,
  eventType: record.eventType,
  ...toDeliveryProgress(record),
});

/** Where the approval page of a request leads back to. */
export const returnUrl = optional(webUrl).meta({
  description:
    'Where the page at approvalUrl leads after the answer: a page that you registered (PUT /v1/applications/return-urls), with a query of your own if you like. The outcome is added to the query; confirm it through the API',
});
