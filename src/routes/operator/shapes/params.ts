import { z } from 'zod';

/** The path of an operation on one thing. Ids are compared as text in places, so they are written as we write them. */
export const idParams = z.object({ id: z.uuid().toLowerCase() });
