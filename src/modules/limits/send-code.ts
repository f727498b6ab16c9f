import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import {
  AddressRefused,
  type Channel,
  type MessagingProvider,
  MessagingProviderDown,
} from '../../providers/messaging/port.ts';
import type { SendThrottle } from './throttle.ts';

/** A code to be sent, and how whoever needs it keeps it: in rows of their own. */
export interface CodeToSend<Reserved> {
  channel: Channel;
  /** Undefined: nothing is sent, and the send is counted all the same. */
  to: string | undefined;
  /** What the code does, after `to`: the message says it. */
  about?: string;
  throttle: SendThrottle;
  /** Keeps the code's digest and counts the send. Throws when none may be sent now. */
  reserve(tx: Tx, code: string): Promise<Reserved>;
  /** Takes back a send that did not happen. */
  undo(reserved: Reserved): Promise<void>;
  /** The refusal when the address takes no messages; the send is undone. */
  addressRefused(cause: AddressRefused): DomainError;
  /** In place of undoing and refusing, where the answer must not tell whether a message can arrive: makes the code worth nothing. */
  voidCode?(reserved: Reserved): Promise<void>;
}

/**
 * Sends a code. The send is counted before it happens, so that no crash or race sends more than the limit, and taken back
 * when the provider did not accept the message. When it is not known whether the provider did, the send counts and its
 * code is good: the message may arrive.
 *
 * @returns unconfirmed: why it is not known whether the code was sent, if so
 * @throws DomainError TOO_MANY_REQUESTS, MESSAGING_PROVIDER_UNAVAILABLE, and what `reserve` and `addressRefused` say
 */
export async function sendCode<Reserved>(
  { transact, messaging, metrics }: { transact: Transact; messaging: MessagingProvider; metrics: Meter },
  { channel, to, about, throttle, ...store }: CodeToSend<Reserved>,
): Promise<{ unconfirmed: MessagingProviderDown | undefined }> {
  const code = messaging.newCode();
  await throttle.takeSend(to); // before the transaction, in which nothing else is waited for
  const reserved = await transact((tx) => store.reserve(tx, code)).catch(async (refusal: unknown) => {
    await throttle.giveSendBack(to);
    throw refusal;
  });
  if (to === undefined) return { unconfirmed: undefined };
  const count = (outcome: 'sent' | 'unconfirmed' | 'failed') =>
    metrics.add('paytag_otp_sent_total', { channel, outcome });
  try {
    await messaging.sendOtp({ channel, to, code, ...(about !== undefined && { about }) });
    count('sent');
  } catch (cause) {
    count(cause instanceof MessagingProviderDown && cause.mayHaveSent ? 'unconfirmed' : 'failed');
    if (cause instanceof MessagingProviderDown && cause.mayHaveSent) return { unconfirmed: cause };
    if (cause instanceof AddressRefused && store.voidCode !== undefined) {
      await store.voidCode(reserved);
      return { unconfirmed: undefined };
    }
    await store.undo(reserved);
    await throttle.giveSendBack(to);
    if (cause instanceof AddressRefused) throw store.addressRefused(cause);
    if (!(cause instanceof MessagingProviderDown)) throw cause;
    throw new DomainError('MESSAGING_PROVIDER_UNAVAILABLE', 'the code could not be sent: send the same request again', {
      retryAfterS: 5,
      cause,
    });
  }
  return { unconfirmed: undefined };
}
