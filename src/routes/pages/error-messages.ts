import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal, RefusalPage } from '#http/failures.ts';
import type { DomainError, ErrorCode } from '#lib/domain-error.ts';
import { html } from '#lib/html.ts';
import { type Page, sendPage } from './page.ts';
import type { TextKey, Texts } from './texts.ts';

/** A refusal as a page says it: what happened, and what its reader can do. */
export interface ErrorMessage {
  title: (t: Texts) => string;
  text: (t: Texts) => string;
  /** The field that it is about. */
  field?: 'password' | 'code';
}

/** The errors whose title and text take no values. */
type Plain = Exclude<Extract<TextKey, `error.${string}.text`>, 'error.wait.text'>;

type Titled = Extract<TextKey, `error.${string}.title`>;

/** A message by its keys. */
export const messageOf = (title: Titled, text: Plain, field?: ErrorMessage['field']): ErrorMessage => ({
  title: (t) => t.text(title),
  text: (t) => t.text(text),
  ...(field && { field }),
});

const unknown = messageOf('error.link.title', 'error.link.text');

const expired = messageOf('error.expired.title', 'error.expired.text');

const answered = messageOf('error.answered.title', 'error.answered.text');

const onOurSide = messageOf('error.ours.title', 'error.ours.text');

const notUnderstood = messageOf('error.unreadable.title', 'error.unreadable.text');

const messages: Partial<Record<ErrorCode, ErrorMessage>> = {
  CONSENT_NOT_FOUND: unknown,
  LINK_NOT_FOUND: unknown,
  CONSENT_EXPIRED: expired,
  LINK_EXPIRED: expired,
  CONSENT_NOT_PENDING: answered,
  LINK_NOT_PENDING: answered,
  CONSENT_ATTEMPTS_EXCEEDED: messageOf('error.attempts.title', 'error.attempts.text'),
  TAG_SUSPENDED: messageOf('error.suspended.title', 'error.suspended.text'),
  INVALID_CUSTOMER_CREDENTIALS: messageOf('error.password.title', 'error.password.text', 'password'),
  OTP_INVALID: messageOf('error.code.title', 'error.code.text', 'code'),
  OTP_EXPIRED: messageOf('error.oldCode.title', 'error.oldCode.text', 'code'),
  OTP_CHANNEL_UNAVAILABLE: messageOf('error.channel.title', 'error.channel.text'),
  OTP_SENDS_EXCEEDED: messageOf('error.sends.title', 'error.sends.text'),
  MESSAGING_PROVIDER_UNAVAILABLE: messageOf('error.messaging.title', 'error.messaging.text'),
  FORM_REFUSED: messageOf('error.form.title', 'error.form.text'),
  INVALID_PARAMETER: messageOf('error.missing.title', 'error.missing.text'),
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
      title: (t) => t.text(code === 'OTP_COOLDOWN' ? 'error.cooldown.title' : 'error.tooMany.title'),
      text: (t) => t.text('error.wait.text', { time: t.duration(retryAfterS ?? 60) }),
    };
  }
  return status >= 500 ? onOurSide : notUnderstood;
}

/** Callers below these paths are programs: the answer is always JSON, whatever they accept. */
const FOR_PROGRAMS = /^\/+(v2|api|operator|hooks|health|metrics|\.well-known)(?=[/?#]|$)/i;

/** What a browser is shown where no page has an answer of its own: an address that leads nowhere, or a server that cannot answer now. */
export const refusalPage: RefusalPage = (
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined =>
  FOR_PROGRAMS.test(request.url) ? undefined : sendPage(reply, refusal.status, pageOf(refusal, request.id));

const nowhere = messageOf('error.nowhere.title', 'error.nowhere.text');

const unreadable = messageOf('error.unreadable.title', 'error.unreadable.text');

const method = messageOf('error.method.title', 'error.method.text');

const busy = messageOf('error.busy.title', 'error.busy.text');

const pageOnOurSide = messageOf('error.ours.title', 'error.page.text');

function messageFor({ error, status }: Refusal): ErrorMessage {
  if (status === 404) return nowhere;
  if (status === 405) return method;
  if (status === 400) return unreadable;
  if (status === 503) return busy;
  return status >= 500 ? pageOnOurSide : errorMessageOf(error, status);
}

/** What happened, what to do about it, and by what we find it in our log. */
function pageOf(refusal: Refusal, requestId: string): Page {
  const { title, text } = messageFor(refusal);
  return (t) => ({
    title: title(t),
    body: html`<h1>${title(t)}</h1><p>${text(t)}</p>
<p><a href="/">${t.text('error.start')}</a></p>
${refusal.status >= 500 && html`<p class="note">${t.text('error.requestId')} <bdi>${requestId}</bdi></p>`}`,
  });
}
