import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { type DisputeView, disputeStates } from '#modules/disputes';
import type { PartnerWalletView } from '#modules/wallets';
import { momentOut } from '#wire/moment.ts';
import { amountIn, amountOut, currencyCode, toMajor } from '#wire/money.ts';
import {
  bvn,
  customerEmail,
  customerOtherName,
  dateOfBirth,
  metadata,
  optional,
  personName,
  reference,
  registeredPhone,
  text,
  webUrl,
} from '#wire/text.ts';
import { payTagShape, toPayTag, toWallet, walletExample, walletShape } from '#wire/wallet.ts';

export const partnerWalletShape = z
  .object({
    ID: z.int(),
    Reference: z.string(),
    RevokedAt: momentOut.nullable(),
    CreatedAt: momentOut,
    UpdatedAt: momentOut,
    PayTag: payTagShape.optional(),
    Wallet: walletShape,
    KycProfile: z
      .object({ ID: z.int().meta({ description: 'Your own number of this person' }), Name: z.string() })
      .optional(),
  })
  .meta({
    id: 'PartnerWallet',
    example: {
      ID: 12,
      Reference: 'PW-480dacb6c5e9ad58ff330bc387910b97',
      RevokedAt: null,
      CreatedAt: walletExample.CreatedAt,
      UpdatedAt: walletExample.CreatedAt,
      PayTag: walletExample.PayTag,
      Wallet: walletExample,
    },
  });

/** A wallet as its partner sees it: of a customer with a PayTag, or of a KYC profile. */
export const toPartnerWallet = (view: PartnerWalletView): z.input<typeof partnerWalletShape> => ({
  ID: view.id,
  Reference: view.reference,
  RevokedAt: view.revokedAt?.toISOString() ?? null,
  CreatedAt: view.createdAt.toISOString(),
  UpdatedAt: view.updatedAt.toISOString(),
  PayTag: toPayTag(view.payTag),
  Wallet: toWallet(view),
  KycProfile: view.kycProfile && { ID: view.kycProfile.id, Name: view.kycProfile.name },
});

/** The path of an operation on one wallet. */
export const walletParams = z.object({ reference: text(100) });

/** The path of an operation on one transaction. */
export const transactionParams = z.object({ reference });

/** What a credit and a debit ask for. */
export const movementBody = z.object({
  amount: amountIn,
  reference,
  externalReference: optional(reference),
  comment: optional(text(500)),
  metadata: optional(metadata),
});

/** A new customer. The phone, the date of birth and the tag are read by the rooms that keep them. */
export const payTagBody = z.object({
  firstName: personName,
  lastName: personName,
  otherName: optional(customerOtherName),
  email: optional(customerEmail),
  phone: registeredPhone,
  bvn,
  dateOfBirth: optional(dateOfBirth),
  imageUrl: optional(webUrl),
  address: optional(text(500)),
  tag: text(40).meta({ example: 'ada-ngozi' }),
  metadata: optional(metadata).meta({ description: 'Shown as Wallet.Metadata' }),
});

/** The path of an operation on one split. */
export const splitParams = z.object({ split: text(100) });

/** The header that names the terminal; the others stay as they are. */
export const terminalHeader = z.looseObject({
  'x-terminal': z
    .string('must be the serial number of a terminal')
    .min(1, 'must be the serial number of a terminal')
    .max(100)
    .meta({ description: 'Serial number of the terminal' }),
});

/** The terminal of a request behind `requirePartner`, if it is this partner's. */
export const terminalOf = (request: FastifyRequest & { headers: z.output<typeof terminalHeader> }) => ({
  serialNumber: request.headers['x-terminal'],
  partnerId: partnerOf(request).id,
});

export const disputeState = z.enum(disputeStates);

/** A dispute about a wallet of the partner that reads it. */
export const disputeShape = z
  .object({
    ID: z.uuid(),
    TransactionReference: z.string(),
    Wallet: z.string().meta({ description: 'Reference of the wallet that received the money' }),
    Amount: amountOut.meta({ description: 'What is disputed, and kept in the wallet until it is decided' }),
    Currency: currencyCode,
    State: disputeState.meta({
      description:
        'EXPIRED: the time to answer is over, and the amount is kept until it is decided. WON: the wallet keeps the money. LOST: it went back',
    }),
    Reason: z.string(),
    RespondBy: momentOut.meta({ description: 'Until then evidence can be added' }),
    Evidence: z.array(
      z.object({
        By: z.enum(['OPERATOR', 'PARTNER']),
        Text: z.string(),
        Link: z.string().optional(),
        CreatedAt: momentOut,
      }),
    ),
    Refunded: amountOut.meta({ description: 'What went back because the dispute was lost' }),
    RefundReference: z.string().optional().meta({ description: 'Of what gave it back: a transaction of the wallet' }),
    CreatedAt: momentOut,
    ExpiredAt: momentOut.optional(),
    DecidedAt: momentOut.optional(),
  })
  .meta({ id: 'Dispute' });

export const toDispute = (view: DisputeView): z.input<typeof disputeShape> => ({
  ID: view.id,
  TransactionReference: view.transaction.reference,
  Wallet: view.wallet,
  Amount: toMajor(view.amount),
  Currency: view.currency,
  State: view.state,
  Reason: view.reason,
  RespondBy: view.respondBy.toISOString(),
  Evidence: view.evidence.map(({ by, text: said, link, createdAt }) => ({
    By: by,
    Text: said,
    Link: link,
    CreatedAt: createdAt.toISOString(),
  })),
  Refunded: toMajor(view.refund?.amount ?? 0n),
  RefundReference: view.refund?.reference,
  CreatedAt: view.createdAt.toISOString(),
  ExpiredAt: view.expiredAt?.toISOString(),
  DecidedAt: view.decidedAt?.toISOString(),
});
