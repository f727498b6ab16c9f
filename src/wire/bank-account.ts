import { z } from 'zod';

/** The number of an account at a bank. */
export const accountNumber = z
  .string()
  .regex(/^\d{10}$/, 'must have 10 digits')
  .meta({ example: '0123456789' });

/** Which bank. */
export const bankCode = z
  .string()
  .regex(/^[0-9A-Z]{3,9}$/, 'must be a bank code, as 058')
  .meta({ example: '058' });
