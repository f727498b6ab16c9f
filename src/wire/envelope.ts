import { z } from 'zod';
import type { Clock } from '#lib/clock.ts';
import { momentOut } from './moment.ts';

/** The shape that wraps every answer of the switch and of application identity. */
export const envelopeOf = <Data extends z.ZodType>(data: Data) =>
  z.object({
    success: z.literal(true),
    message: z.string(),
    errorCode: z.literal(''),
    data,
    errors: z.array(z.string()).max(0),
    timestamp: momentOut,
  });

/** Wraps what went well; failures are wrapped where errors are mapped. */
export const enveloped = <Data>(clock: Clock, message: string, data: Data) => ({
  success: true as const,
  message,
  errorCode: '' as const,
  data,
  errors: [],
  timestamp: clock.now().toISOString(),
});

/** The same as text, around data that is JSON already. */
export const envelopedText = (clock: Clock, message: string, dataJson: string): string =>
  `{"success":true,"message":${JSON.stringify(message)},"errorCode":"","data":${dataJson},"errors":[],"timestamp":"${clock.now().toISOString()}"}`;
