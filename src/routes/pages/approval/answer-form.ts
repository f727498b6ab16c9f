import { z } from 'zod';
import { answers, type Proof } from '#modules/owner-proofs';
import { channels } from '../../../providers/messaging/port.ts';

const seal = z.string().max(100);
const shared = { form: seal, answer: z.enum(answers) };

/** The form by which she proves herself, and approves or declines. */
export const answerForm = z.discriminatedUnion('by', [
  z.object({ ...shared, by: z.literal('password'), paytag: z.string().max(64), password: z.string().max(256) }),
  z.object({ ...shared, by: z.literal('code'), code: z.string().max(12) }),
]);

/** The form by which she has a code sent. */
export const codeRequestForm = z.object({ form: seal, channel: z.enum(channels) });

/** What she proves herself by. */
export const proofOf = (given: z.output<typeof answerForm>): Proof =>
  given.by === 'password'
    ? { by: 'PASSWORD', paytag: given.paytag.trim(), password: given.password }
    : { by: 'OTP', code: given.code.replaceAll(/\s/g, '') };
