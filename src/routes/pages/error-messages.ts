import type { DomainError } from '#lib/domain-error.ts';
import type { ErrorCode } from '#lib/error-codes.ts';

/** A refusal as a page says it: what happened, and what its reader can do. */
export interface ErrorMessage {
  title: string;
  text: string;
  /** The field that it is about. */
  field?: 'password' | 'code';
}

const unknown: ErrorMessage = {
  title: 'We do not know this link',
  text: 'It may have been cut short on its way to you. Open it again from the message it came in, or ask the application that sent you here for a new one.',
};

const expired: ErrorMessage = {
  title: 'This request is over',
  text: 'Nobody answered it in time, so nothing was agreed. If you still want it, ask the application that sent you here to ask you again.',
};

const answered: ErrorMessage = {
  title: 'This was answered already',
  text: 'Nothing was done now. Below you see where the request stands.',
};

const messages: Partial<Record<ErrorCode, ErrorMessage>> = {
  CONSENT_NOT_FOUND: unknown,
  LINK_NOT_FOUND: unknown,
  CONSENT_EXPIRED: expired,
  LINK_EXPIRED: expired,
  CONSENT_NOT_PENDING: answered,
  LINK_NOT_PENDING: answered,
  CONSENT_ATTEMPTS_EXCEEDED: {
    title: 'Too many attempts',
    text: 'To keep this tag safe, no more attempts are taken on this request, and nothing was agreed. If it was you, ask the application to ask you again.',
  },
  TAG_SUSPENDED: {
    title: 'This tag is suspended',
    text: 'Nothing can be agreed on it for now. You can still decline.',
  },
  INVALID_CUSTOMER_CREDENTIALS: {
    title: 'That PayTag and password do not match',
    text: 'Check both and try again.',
    field: 'password',
  },
  OTP_INVALID: {
    title: 'That is not the code',
    text: 'Enter the six digits of the newest message. An earlier code no longer works.',
    field: 'code',
  },
  OTP_EXPIRED: {
    title: 'That code is too old',
    text: 'A code works for five minutes. Have another one sent.',
    field: 'code',
  },
  OTP_CHANNEL_UNAVAILABLE: {
    title: 'No code can be sent that way',
    text: 'Choose another way to get your code.',
  },
  OTP_SENDS_EXCEEDED: {
    title: 'No more codes are sent for this request',
    text: 'Use the newest code that you have, or your password where you have one.',
  },
  MESSAGING_PROVIDER_UNAVAILABLE: {
    title: 'The code could not be sent',
    text: 'Something went wrong on its way. Try again in a moment, or choose another way.',
  },
  FORM_REFUSED: {
    title: 'This page was open for too long',
    text: 'Nothing was done. Please fill in the form again.',
  },
  INVALID_PARAMETER: {
    title: 'Something is missing',
    text: 'Nothing was done. Please fill in every field of the form.',
  },
};

const onOurSide: ErrorMessage = {
  title: 'Something went wrong on our side',
  text: 'Nothing was agreed. Please try again in a moment.',
};

const notUnderstood: ErrorMessage = {
  title: 'We could not read that',
  text: 'Nothing was done. Please open the link again.',
};

/** What a page says about a refusal. */
export function errorMessageOf(
  { code, retryAfterS }: Pick<DomainError, 'code' | 'retryAfterS'>,
  status: number,
): ErrorMessage {
  const found = messages[code];
  if (found !== undefined) return found;
  if (status === 429) {
    return {
      title: code === 'OTP_COOLDOWN' ? 'A code was sent a moment ago' : 'Too many attempts for now',
      text: `Please wait ${waitingTime(retryAfterS ?? 60)} and try again.`,
    };
  }
  return status >= 500 ? onOurSide : notUnderstood;
}

function waitingTime(seconds: number): string {
  if (seconds === 1) return 'a second';
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
