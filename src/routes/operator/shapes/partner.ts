import { z } from 'zod';
import { type listPartners, type OperatorPartnerView, partnerStatuses } from '#modules/clients';
import { currencies } from '#modules/ledger';
import { momentOut } from '#wire/moment.ts';
import { amountOut, toMajor } from '#wire/money.ts';
import { credential, personal } from '#wire/personal.ts';

export const partnerStatus = z.enum(partnerStatuses);

/** 128 random bits behind a prefix, as every partner's. It keys the signatures of webhooks. */
export const partnerClientId = credential(z.string().meta({ example: 'pc_0f8c2d6b7a914e35b2c1d0e9f8a7b6c5' }));

/** A partner in a list. */
export const listedPartnerShape = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: 'Acme Pay' }),
  clientId: partnerClientId,
  redirectUrl: z.string(),
  status: partnerStatus,
  createdAt: momentOut,
  updatedAt: momentOut,
});

export const keyShape = z.object({ id: z.uuid(), createdAt: momentOut, revokedAt: momentOut.optional() });

/** A partner by itself. Of its keys only that there are some. */
export const partnerShape = listedPartnerShape.extend({
  webhookUrl: z.string().optional().meta({ description: 'Without it events are kept' }),
  contactEmail: personal(z.string(), 'email')
    .optional()
    .meta({ description: 'Who is told what becomes of its webhooks' }),
  keys: z.array(keyShape).meta({
    description:
      'Oldest first, those revoked among them. In live the one that was made with the partner ends three days later',
  }),
  floats: z.array(z.object({ currency: z.enum(currencies), balance: amountOut })),
});

type Row = Awaited<ReturnType<typeof listPartners>>['items'][number];
type Key = OperatorPartnerView['keys'][number];

/** A partner in a list. */
export const toListedPartner = (row: Row): z.input<typeof listedPartnerShape> => ({
  id: row.id,
  name: row.name,
  clientId: row.clientId,
  redirectUrl: row.redirectUrl,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** An API key, without the key itself. */
export const toKey = ({ id, createdAt, revokedAt }: Key): z.input<typeof keyShape> => ({
  id,
  createdAt: createdAt.toISOString(),
  revokedAt: revokedAt?.toISOString(),
});

/** A partner with its keys and floats. */
export const toPartner = (partner: OperatorPartnerView): z.input<typeof partnerShape> => ({
  ...toListedPartner(partner),
  webhookUrl: partner.webhookUrl ?? undefined,
  contactEmail: partner.contactEmail,
  keys: partner.keys.map(toKey),
  floats: partner.floats.map(({ currency, amounts }) => ({ currency, balance: toMajor(amounts.total) })),
});
