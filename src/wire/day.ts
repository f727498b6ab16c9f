import { z } from 'zod';
import type { PartnerDay } from '#modules/ledger';

/** A day in Africa/Lagos, in a path: YYYY-MM-DD. */
export const dayParam = z.iso
  .date('must be a day as YYYY-MM-DD')
  .refine((day) => day >= '2000-01-01', { error: 'must not be before 2000-01-01' })
  .meta({ description: 'A day in Africa/Lagos', example: '2026-01-31' });

/** What a line of a partner's day is about. */
export const partnerDayAccount = z
  .enum(['FLOAT', 'WALLET', 'FEE', 'COMMISSION', 'STAMP_DUTY'] satisfies PartnerDay['lines'][number]['account'][])
  .meta({ description: 'WALLET: all wallets together. FEE, COMMISSION, STAMP_DUTY: what was charged' });
