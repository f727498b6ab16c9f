import { z } from 'zod';
import { verbatim } from '#lib/text/input.ts';
import type { OtpDispatch, PasswordReset } from '#modules/accounts';
import type { LinkedAccount } from '#modules/payouts';
import { momentOut } from '#wire/moment.ts';
import { secret, text } from '#wire/text.ts';
import { channels } from '../../providers/messaging/port.ts';

const channel = z.enum(channels);

/** What an OTP send or its validation answers. */
export const otpDispatchShape = z
  .object({
    provider: channel.meta({ description: 'The channel' }),
    reference: z.string(),
    recipients: z.array(z.string()).meta({ description: 'Masked', example: ['+234*******67'] }),
    validated: z.boolean(),
  })
  .meta({ id: 'OtpDispatch' }) satisfies z.ZodType<OtpDispatch>;

/** A creation session, as its partner sees it. */
export const creationShape = z
  .object({
    session: z.string(),
    onboarding: z.string().meta({ description: 'The same value as session' }),
    status: z.enum(['STARTED', 'VALIDATED', 'COMPLETED']),
    channels: z.array(channel).meta({ description: 'By which an OTP can be sent' }),
    recipients: z.array(z.string()).meta({ description: 'Masked', example: ['+234*******67'] }),
    validated: z.boolean(),
    expiresAt: momentOut,
  })
  .meta({ id: 'CreationSession' });

/** A password reset. It says nothing of the customer. */
export const passwordResetShape = creationShape
  .pick({ session: true, status: true, validated: true, expiresAt: true })
  .meta({ id: 'PasswordReset' });

/** A password reset, which says nothing of the customer. */
export const toPasswordReset = ({ expiresAt, ...reset }: PasswordReset): z.input<typeof passwordResetShape> => ({
  ...reset,
  expiresAt: expiresAt.toISOString(),
});

/** A password to log in with. */
export const givenPassword = secret.max(512);

/** A password to have from now on: the room that keeps it says what it may be. */
export const newPassword = verbatim(z.string()).meta({ minLength: 8, maxLength: 128 });

/** A session's id in a path or a query. */
export const sessionId = text(200);

/** The path or the query of an operation on one session. */
export const sessionParams = z.object({ session: sessionId });

const isChannel = (value: string): boolean => channels.some((one) => one === value);

/**
 * By which channel an OTP is to be sent, whatever the parameter that says so is called; `sms` where there is none or only
 * empty ones. A value that is no channel is refused where nothing else names one: it may be a channel with a slip in it,
 * and an unwanted text message cannot be taken back.
 */
function namedChannel(query: unknown, context: z.RefinementCtx): unknown {
  const said = Object.entries(query as Record<string, unknown>)
    .flatMap(([name, values]) => [values].flat().map((value) => ({ name, value: String(value).trim().toLowerCase() })))
    .filter(({ value }) => value !== '');
  const named = new Set(said.map(({ value }) => value).filter(isChannel));
  if (named.size > 1) context.addIssue({ code: 'custom', path: ['channel'], message: 'must be one channel, not two' });
  const wrong = said.find(({ name, value }) => !isChannel(value) && (name === 'channel' || named.size === 0));
  const [first] = named;
  return { channel: wrong?.value ?? first };
}

/** How an OTP is to be sent. */
export const channelQuery = z
  .preprocess(
    namedChannel,
    z.object({
      channel: z
        .enum(channels, `must be one of ${channels.join(', ')}`)
        .default('sms')
        .meta({ description: 'In any case; a parameter of another name with one of these values is taken as well' }),
    }),
  )
  .transform((query) => query.channel);

/** The bank account that a customer linked. */
export const bankAccountShape = z
  .object({
    accountNumber: z.string().meta({ example: '0123456789' }),
    bankCode: z.string().meta({ example: '058' }),
    bankName: z.string().meta({ example: 'Guaranty Trust Bank' }),
    accountName: z.string().meta({ description: 'As the bank writes it', example: 'OBI ADA' }),
    linkedAt: momentOut,
  })
  .meta({ id: 'BankAccount' });

/** The bank account that a customer linked. */
export const toBankAccount = ({ linkedAt, ...account }: LinkedAccount): z.input<typeof bankAccountShape> => ({
  ...account,
  linkedAt: linkedAt.toISOString(),
});
