import { z } from 'zod';
import { optionalReason, reason } from '#wire/text.ts';

/** The body of a change that needs nothing but why it is made. */
export const reasonBody = z.object({ reason });

/** The same, where the change says enough by itself: the body may be left out. */
export const optionalReasonBody = z.object({ reason: optionalReason }).nullish();
