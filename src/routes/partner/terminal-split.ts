import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import type { Split } from '#modules/terminals';
import { amountIn, amountOut, toMajor } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';

export const splitShape = z
  .object({
    Amount: amountOut,
    Reference: z.string(),
    TotalPaid: amountOut,
    Remaining: amountOut,
    Status: z.enum(['Pending', 'Paid', 'Cancelled', 'Expired']),
    Title: z.string(),
    Description: z.string().optional(),
  })
  .meta({ id: 'Split' });

export const toSplit = (split: Split): z.input<typeof splitShape> => ({
  Amount: toMajor(split.amount),
  Reference: split.reference,
  TotalPaid: toMajor(split.totalPaid),
  Remaining: toMajor(split.remaining),
  Status: split.status,
  Title: split.title,
  Description: split.description,
});

/** What a date may be and still be one in our database. */
const EARLIEST_EXPIRY = new Date('2000-01-01T00:00:00Z');
const LATEST_EXPIRY = new Date('2200-01-01T00:00:00Z');

/** What is asked for a new split. */
export const splitBody = z.object({
  amount: amountIn,
  title: text(200),
  description: optional(text(1000)),
  reference: optional(reference),
  expiresAt: optional(
    z.iso
      .datetime({ offset: true, error: 'must be a date-time with its offset, as 2026-01-31T12:00:00Z' })
      .transform((moment) => new Date(moment))
      .refine(
        (moment) => LATEST_EXPIRY > moment && moment > EARLIEST_EXPIRY,
        'must lie between the years 2000 and 2200',
      ),
  ).meta({ example: '2099-12-31T23:00:00.000Z' }),
});

export const splitParams = z.object({ split: text(100) });

/** The header that names the terminal; the others stay as they are. */
export const terminalHeader = z.looseObject({
  'x-terminal': z
    .string('must be the serial number of a terminal')
    .trim()
    .min(1, 'must be the serial number of a terminal')
    .max(100)
    .meta({ description: 'Serial number of the terminal' }),
});

/** The terminal of a request behind `requirePartner`, if it is this partner's. */
export const terminalOf = (request: FastifyRequest & { headers: z.output<typeof terminalHeader> }) => ({
  serialNumber: request.headers['x-terminal'],
  partnerId: partnerOf(request).id,
});
