import { z } from 'zod';

/** A day in Africa/Lagos, in a path: YYYY-MM-DD. */
export const dayParam = z.iso
  .date('must be a day as YYYY-MM-DD')
  .refine((day) => day >= '2000-01-01', { error: 'must not be before 2000-01-01' })
  .meta({ description: 'A day in Africa/Lagos', example: '2026-01-31' });
