import { z } from 'zod';

/** The path of an operation on one application or one partner. */
export const idParams = z.object({ id: z.uuid() });
