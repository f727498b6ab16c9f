import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { assertFormIsOurs, sealForm } from '#http/pages.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { type Html, html, name, pill } from '#lib/html.ts';
import { enterPortal, type PortalSession } from '#modules/clients';
import type { LocalThrottle } from '#modules/limits';
import type { Receiver } from '#modules/outbox';
import type { FormDeps } from './approval-page.ts';
import { type ErrorMessage, errorMessageOf, messageOf } from './error-messages.ts';
import { type Page, sendPage } from './page.ts';
import type { Texts } from './texts.ts';

export type PortalDeps = DepsOf<typeof enterPortal> & FormDeps & { callLimit: LocalThrottle };

/** Who looks after the webhooks of a partner. */
export interface Visitor extends PortalSession {
  /** For the forms of the page. */
  seal: string;
  session: string;
}

const PATH = '/webhooks';
/** By its name a browser takes it over https alone, where the server is reached so. */
const cookieName = (publicUrl: string): string => `${isSecure(publicUrl) ? '__Secure-' : ''}paytag-webhooks`;
const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');

/** The header that gives a browser a session, for these pages alone and no script; without one it takes it away. */
export function sessionCookie(publicUrl: string, session = '', maxAgeS = 0): string {
  const attributes = [`Path=${PATH}`, `Max-Age=${Math.floor(maxAgeS)}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${cookieName(publicUrl)}=${session}`, ...attributes, ...(isSecure(publicUrl) ? ['Secure'] : [])].join('; ');
}

function sessionOf({ headers }: FastifyRequest, publicUrl: string): string {
  const begin = `${cookieName(publicUrl)}=`;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(begin))?.slice(begin.length) ?? '';
}

/**
 * Lets in a visitor with a session; their requests count as their partner's.
 *
 * @throws DomainError PORTAL_LINK_EXPIRED, TOO_MANY_REQUESTS
 */
export async function enter(deps: PortalDeps, request: FastifyRequest): Promise<Visitor> {
  const session = sessionOf(request, deps.publicUrl);
  const entered = await enterPortal(deps, session);
  request.credential = `partner:${entered.partner.id}`;
  deps.callLimit.take(request.credential);
  return { ...entered, session, seal: sealForm(deps, sealedFor(session)) };
}

const sealedFor = (session: string): string => `webhooks:${session}`;

/** The body of a form that has nothing but a button. */
export const sealedBody = z.object({ form: z.string().max(100) });

/**
 * The same for a form of these pages. @throws DomainError FORM_REFUSED for one of somebody else's
 */
export async function enterByForm(
  deps: PortalDeps,
  request: FastifyRequest & { body: z.output<typeof sealedBody> },
): Promise<Visitor> {
  const visitor = await enter(deps, request);
  const subject = sealedFor(sessionOf(request, deps.publicUrl));
  assertFormIsOurs(deps, { subject, seal: request.body.form, headers: request.headers });
  return visitor;
}

const tabs = [
  ['deliveries', PATH],
  ['endpoints', `${PATH}/endpoints`],
  ['verify', `${PATH}/verify`],
] as const satisfies (readonly [string, string])[];
type Tab = (typeof tabs)[number][0];

export const sealField = ({ seal }: Pick<Visitor, 'seal'>): Html =>
  html`<input type="hidden" name="form" value="${seal}">`;

/** One of these pages, with the way to the others. `isList`: the page that the tab itself opens. */
export const portalPage =
  (visitor: Visitor, { tab, isList = true }: { tab: Tab; isList?: boolean }, page: Page): Page =>
  (t) => {
    const { title, body } = page(t);
    const links = tabs.map(
      ([key, path]) =>
        html`<a href="${path}"${key === tab && html` aria-current="${isList ? 'page' : 'true'}"`}>${t.text(`portal.nav.${key}`)}</a>`,
    );
    return {
      title,
      nav: html`<nav class="tabs" aria-label="${t.text('portal.nav')}">${links}<form method="post" action="${PATH}/close">${sealField(visitor)}<button>${t.text('portal.close')}</button></form></nav>`,
      body,
    };
  };

/** Whose webhooks these are, and until when they are shown. */
export const whose = (t: Texts, { partner, expiresAt }: PortalSession): Html =>
  html`<p class="whose">${t.html('portal.whose', { partner: name(partner.name), until: moment(t, expiresAt) })}</p>`;

/** A moment to the second. */
export const moment = (t: Texts, at: Date): Html => html`<time datetime="${at.toISOString()}">${t.stamp(at)}</time>`;

type Status = 'PENDING' | 'DELIVERED' | 'FAILED';
const looks: Readonly<Record<Status, string>> = { PENDING: 'wait', DELIVERED: 'good', FAILED: 'bad' };

export const statusPill = (t: Texts, status: Status): Html => pill(looks[status], t.text(`portal.status.${status}`));

const ended = messageOf('error.portal.title', 'error.portal.text');
const unknownDelivery = messageOf('error.delivery.title', 'error.delivery.text');
const noEndpoint = messageOf('error.endpoint.title', 'error.endpoint.text');

const messages: Partial<Record<ErrorCode, ErrorMessage>> = {
  PORTAL_LINK_EXPIRED: ended,
  DELIVERY_NOT_FOUND: unknownDelivery,
  DELIVERY_PURGED: messageOf('error.purged.title', 'error.purged.text'),
  ENDPOINT_NOT_FOUND: noEndpoint,
  RECEIVER_NOT_FOUND: noEndpoint,
  WEBHOOK_URL_NOT_SET: messageOf('error.noUrl.title', 'error.noUrl.text'),
  BUSY: messageOf('error.busy.title', 'error.page.text'),
  STORE_UNAVAILABLE: messageOf('error.busy.title', 'error.page.text'),
  INVALID_PARAMETER: messageOf('error.query.title', 'error.query.text'),
};

/** Answers a refusal with a page that says what happened, with a link back for visitors with a session. */
export function refusePortal(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { error, status } = refusalOf(thrown, request, reply);
  const { title, text } = messages[error.code] ?? errorMessageOf(error, status);
  const isOutside = error.code === 'PORTAL_LINK_EXPIRED';
  const page: Page = (t) => ({
    title: title(t),
    body: html`<h1>${title(t)}</h1><p>${text(t)}</p>${!isOutside && html`<p><a href="${PATH}">${t.text('error.portal.back')}</a></p>`}`,
  });
  try {
    sendPage(reply, status, page);
  } catch (failed) {
    sendFailure(failed, request, reply);
  }
}

/** What an endpoint is called here: as its owner describes it, or else by the host of its URL. */
export function endpointName(t: Texts, endpoint: Pick<Receiver, 'url' | 'description'> | undefined): string {
  if (endpoint === undefined) return t.text('portal.endpoint.deleted');
  const { url, description } = endpoint;
  return description ?? (url === null ? t.text('portal.endpoint.noUrl') : new URL(url).host);
}
