import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { partnerOf } from '#http/auth/partner.ts';
import { applicationOnly, partnerOnly } from '#http/openapi-meta.ts';
import { amountIn } from '#wire/money.ts';
import { metadata, optional, reference, text } from '#wire/text.ts';
import { disturbedAnswers, providerNames } from '../../providers/disturbance.ts';

/** Who calls what partners and applications both may: the same endpoint, mounted once for each. */
export interface SandboxCaller {
  readonly kind: 'partner' | 'application';
  readonly security: typeof partnerOnly | typeof applicationOnly;
  readonly ownerOf: (request: FastifyRequest) => string;
  /** The operation as clients call it: `markTimeForward`, `markTimeForwardForApplication`. */
  readonly operationId: (name: string) => string;
}

/** By partner credentials, at the surface's own paths. */
export const asPartner: SandboxCaller = {
  kind: 'partner',
  security: partnerOnly,
  ownerOf: (request) => partnerOf(request).id,
  operationId: (name) => name,
};

/** By an application token, at the same paths under `/application`. */
export const asApplication: SandboxCaller = {
  kind: 'application',
  security: applicationOnly,
  ownerOf: (request) => applicationOf(request).id,
  operationId: (name) => `${name}ForApplication`,
};

/** Who pays, in the words of the rails. */
const sender = z.object({ name: optional(text(200)), paytag: optional(text(40)), type: optional(text(40)) });

/** What every payment from outside says. */
export const paymentBody = z.object({
  amount: amountIn,
  reference,
  sender: sender.default({}),
  comment: optional(text(500)),
  metadata: optional(metadata),
});

/** The path of an operation on one wallet. */
export const walletParams = z.object({ reference: text(100) });

/** What a credit and a debit ask for: the same as in the partner API. */
export const movementBody = z.object({
  amount: amountIn,
  reference,
  externalReference: optional(reference),
  comment: optional(text(500)),
  metadata: optional(metadata),
});

/** The path of an operation on one provider. */
export const providerParams = z.object({
  provider: z.enum(providerNames, `must be one of ${providerNames.join(', ')}`),
});

/** How a provider's simulator answers. */
export const disturbedAnswer = z.enum(disturbedAnswers).meta({
  description:
    'fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay',
});

/** How a simulator is disturbed, and for how many more calls. */
export const disturbanceShape = z.object({
  provider: providerParams.shape.provider,
  answer: disturbedAnswer,
  delayMs: z.int().meta({ description: 'Milliseconds before it', example: 1000 }),
  timesLeft: z.int().meta({ description: 'For how many more calls', example: 1 }),
});
