import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createTerminal, type Terminal } from '#modules/terminals';
import { metadata, metadataOut } from '#wire/metadata.ts';
import { momentOut } from '#wire/moment.ts';
import { amountOut, toMajor } from '#wire/money.ts';
import { emailAddress, optional, optionalReason, reference, text, trustedName } from '#wire/text.ts';

const body = z.object({
  partnerId: z.uuid(),
  serialNumber: reference,
  terminalId: optional(text(100)),
  merchant: optional(trustedName(200)),
  email: optional(emailAddress),
  phoneNumber: optional(text(40)),
  paytag: optional(text(40)),
  metadata: optional(metadata),
  reason: optionalReason,
});

const shape = z.object({
  partnerId: z.uuid(),
  serialNumber: z.string(),
  terminalId: z.string().optional(),
  merchant: z.string().optional(),
  email: z.string().optional(),
  phoneNumber: z.string().optional(),
  paytag: z.string().optional(),
  status: z.string(),
  balance: amountOut,
  createdAt: momentOut,
  metadata: metadataOut.optional(),
});

export function postTerminals(app: ZodApp, deps: DepsOf<typeof createTerminal>): void {
  app.post(
    '/terminals',
    {
      schema: {
        operationId: 'createTerminal',
        summary: 'Give a partner a terminal',
        body,
        response: { 201: shape, ...failuresFor('INVALID_PAYTAG', 'PARTNER_NOT_FOUND', 'TERMINAL_EXISTS') },
      },
    },
    async (request, reply) => {
      const terminal = await createTerminal(deps, request.actor, request.body);
      reply.code(201).header('cache-control', 'no-store');
      return toShape(terminal);
    },
  );
}

const toShape = ({ balance, createdAt, ...terminal }: Terminal): z.input<typeof shape> => ({
  ...terminal,
  balance: toMajor(balance),
  createdAt: createdAt.toISOString(),
});
