import { z } from 'zod';

/** The body of a form of the console, which says that it is ours. */
export const sealedBody = z.object({ form: z.string().max(100) });
