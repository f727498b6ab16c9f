import { z } from 'zod';

/** The path of an operation on one thing. Ids are compared as text in places, so they are written as we write them. */
export const idParams = z.object({ id: z.uuid().toLowerCase() });

/** The ID of a transaction, as a parameter. */
export const transactionId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the ID of a transaction')
  .transform(Number)
  .meta({ type: 'integer', minimum: 1 });
