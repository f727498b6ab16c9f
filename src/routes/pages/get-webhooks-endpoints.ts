import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fact, type Html, html, name, pill } from '#lib/html.ts';
import { listEndpoints, type ReceiverHealth } from '#modules/webhooks';
import { type Page, sendPage } from './page.ts';
import {
  endpointName,
  enter,
  moment,
  type PortalDeps,
  portalPage,
  refusePortal,
  sealField,
  type Visitor,
  whose,
} from './portal.ts';
import type { Texts } from './texts.ts';

/** The endpoints of the partner, and how each is doing. */
export function getWebhooksEndpoints(app: ZodApp, deps: PortalDeps & DepsOf<typeof listEndpoints>): void {
  app.get('/webhooks/endpoints', { errorHandler: refusePortal, schema: { hide: true } }, async (request, reply) => {
    const visitor = await enter(deps, request);
    const endpoints = await listEndpoints(deps, visitor.partner.id);
    return sendPage(reply, 200, portalPage(visitor, { tab: 'endpoints' }, endpointsPage(visitor, endpoints)));
  });
}

const endpointsPage =
  (visitor: Visitor, endpoints: readonly ReceiverHealth[]): Page =>
  (t) => {
    const title = t.text('portal.endpoints.title');
    return {
      title,
      body: html`<h1>${title}</h1>${whose(t, visitor)}
<p>${t.text('portal.endpoints.text')}</p>
<div class="cards">${endpoints.map((endpoint) => card(t, visitor, endpoint))}</div>`,
    };
  };

function card(t: Texts, visitor: Visitor, endpoint: ReceiverHealth): Html {
  const { id, url, isDefault, pauseReason } = endpoint;
  const kind = t.text(isDefault ? 'portal.endpoint.default' : 'portal.endpoint.other');
  return html`<section><h2><bdi>${endpointName(t, endpoint)}</bdi></h2>
<p>${state(t, endpoint)}</p>${pauseReason !== null && html`<p class="note"><q>${pauseReason}</q></p>`}
<dl>${fact(kind, name(url ?? t.text('portal.endpoint.noUrl')))}${choices(t, endpoint)}</dl>
${url !== null && html`<form class="act" method="post" action="/webhooks/endpoints/${id}/test">${sealField(visitor)}<button>${t.text('portal.endpoint.test')}</button></form>`}
<p class="pages"><a href="/webhooks?endpointId=${id}">${t.text('portal.endpoint.list')}</a></p></section>
`;
}

/** Whether it is sent to, and why not. */
function state(t: Texts, { url, status, pausedAt, pausedBy, breaker }: ReceiverHealth): Html {
  if (status === 'PAUSED') {
    const since = pausedAt !== null && pausedBy !== null;
    return html`${pill('bad', t.text('portal.endpoint.paused'))} ${since && t.html(`portal.endpoint.pausedBy.${pausedBy}`, { at: moment(t, pausedAt) })}`;
  }
  if (breaker.state !== 'CLOSED') {
    return html`${pill('bad', t.text('portal.endpoint.failing'))} ${t.text('portal.endpoint.failing.text', { count: breaker.failures })}`;
  }
  if (url === null) return html`${pill('wait', t.text('portal.endpoint.idle'))} ${t.text('portal.endpoint.idle.text')}`;
  return pill('good', t.text('portal.endpoint.active'));
}

function choices(t: Texts, { events, pending, pendingIsExact, headerNames, rate, ordered }: ReceiverHealth): Html[] {
  const waiting = t.text('portal.endpoint.waiting');
  return [
    fact(t.text('portal.endpoint.events'), name(events?.join(', ') ?? t.text('portal.endpoint.events.all'))),
    fact(waiting, html`${!pendingIsExact && '≈ '}${t.number(pending)}`),
    ...(headerNames === null ? [] : [fact(t.text('portal.endpoint.headers'), name(headerNames.join(', ')))]),
    ...(rate === null
      ? []
      : [fact(t.text('portal.endpoint.rate'), html`${t.text('portal.endpoint.rate.perS', { count: rate })}`)]),
    ...(ordered ? [fact(t.text('portal.endpoint.order'), html`${t.text('portal.endpoint.ordered')}`)] : []),
  ];
}
