import { z } from 'zod';
import { text } from './text.ts';

/** A bank verification number. */
export const bvn = z
  .string()
  .regex(/^\d{11}$/, 'must be 11 digits')
  .meta({ example: '22212345678' });

/** A past day, which the room of customers reads. */
export const dateOfBirth = text(40).meta({
  description: 'YYYY-MM-DD, of a date-time its date, or day first: 17-05-1990, 17/05/1990, 17-May-1990',
  example: '1990-05-17',
});
