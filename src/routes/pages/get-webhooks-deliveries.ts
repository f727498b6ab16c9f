import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fact, type Html, html, name, pill } from '#lib/html.ts';
import { type Receiver, readReceivers } from '#modules/outbox';
import { getDelivery, readRequest, type WebhookRequest } from '#modules/webhooks';
import { deliveryParams } from '#wire/delivery.ts';
import { type Page, sendPage } from './page.ts';
import {
  endpointName,
  enter,
  moment,
  type PortalDeps,
  portalPage,
  refusePortal,
  sealField,
  statusPill,
  type Visitor,
} from './portal.ts';
import type { Texts } from './texts.ts';

const querystring = z.object({ sent: z.unknown().optional() });

/** One delivery: its attempts, what was sent and how that is signed. */
export function getWebhooksDeliveries(app: ZodApp, deps: PortalDeps & DepsOf<typeof readRequest>): void {
  const schema = { hide: true, params: deliveryParams, querystring };
  app.get('/webhooks/deliveries/:id', { errorHandler: refusePortal, schema }, async (request, reply) => {
    const visitor = await enter(deps, request);
    const { id: ownerId } = visitor.partner;
    const deliveryId = request.params.id;
    const [delivery, sent, endpoints] = await Promise.all([
      getDelivery(deps.db, deliveryId, ownerId),
      readRequest(deps, { deliveryId, ownerId }),
      readReceivers(deps.db, ownerId),
    ]);
    const endpoint = endpoints.find(({ id }) => id === delivery.endpointId);
    const shown = { delivery, request: sent, endpoint, justSent: request.query.sent };
    const place = { tab: 'deliveries', isList: false } as const;
    return sendPage(reply, 200, portalPage(visitor, place, deliveryPage(visitor, shown)));
  });
}

type Delivery = Awaited<ReturnType<typeof getDelivery>>;

interface Shown {
  delivery: Delivery;
  request: WebhookRequest;
  /** Undefined when it was deleted. */
  endpoint: Receiver | undefined;
  /** `resend` or `test`: it was just asked for. */
  justSent: unknown;
}

/** One delivery, with each attempt, what was sent and how that is signed. */
const deliveryPage =
  (visitor: Visitor, shown: Shown): Page =>
  (t) => {
    const { delivery, justSent } = shown;
    return {
      title: `${delivery.event} – ${t.text(`portal.status.${delivery.status}`)}`,
      body: html`<h1><bdi>${delivery.event}</bdi></h1>
${(justSent === 'resend' || justSent === 'test') && html`<div class="panel" role="status"><h2>${t.text(`portal.sent.${justSent}`)}</h2><p>${t.text('portal.sent.text')}</p></div>`}
<dl class="facts">${factsOf(t, shown)}</dl>
${resendForm(t, visitor, shown)}
<section><h2>${t.text('portal.attempts.title')}</h2>${attempts(t, shown)}</section>
<section><h2>${t.text('portal.body.title')}</h2>${body(t, shown)}</section>
${shown.request.body !== null && signature(t, shown)}`,
    };
  };

function factsOf(t: Texts, { delivery, endpoint }: Shown): Html[] {
  const { id, status, reference, eventId, createdAt, replayOf } = delivery;
  return [
    fact(t.text('portal.fact.status'), statusPill(t, status)),
    ...(status === 'PENDING' ? [nextAttempt(t, delivery)] : []),
    fact(t.text('portal.fact.made'), moment(t, createdAt), t.text('page.lagosTime')),
    fact(t.text('portal.fact.reference'), name(reference)),
    fact(t.text('portal.fact.endpoint'), name(endpointName(t, endpoint))),
    fact(t.text('portal.fact.eventId'), name(eventId), t.text('portal.fact.eventId.small')),
    ...(replayOf === null || replayOf === id
      ? []
      : [fact(t.text('portal.fact.replayOf'), html`<a href="/webhooks/deliveries/${replayOf}">${replayOf}</a>`)]),
  ];
}

const nextAttempt = (t: Texts, { dueAt }: Delivery): Html =>
  dueAt === null
    ? fact(t.text('portal.fact.next'), html`${t.text('portal.fact.next.held')}`, t.text('portal.fact.next.why'))
    : fact(t.text('portal.fact.next'), moment(t, dueAt));

function resendForm(t: Texts, visitor: Visitor, { delivery, request, endpoint }: Shown): Html {
  if (request.body === null) return html`<p class="note">${t.text('portal.resend.purged')}</p>`;
  if (endpoint === undefined) return html`<p class="note">${t.text('portal.resend.gone')}</p>`;
  return html`<form class="act" method="post" action="/webhooks/deliveries/${delivery.id}/resend">${sealField(visitor)}<button>${t.text('portal.resend')}</button><p>${t.text('portal.resend.text')}</p></form>`;
}

function attempts(t: Texts, { delivery, request }: Shown): Html {
  const { history } = delivery;
  if (history.length === 0) {
    const isPurged = request.body === null && delivery.attempts > 0;
    return html`<p class="note">${t.text(isPurged ? 'portal.attempts.purged' : 'portal.attempts.none')}</p>`;
  }
  return html`<ol class="tries">${history.toReversed().map((attempt) => attemptItem(t, attempt))}</ol>`;
}

function attemptItem(t: Texts, attempt: Delivery['history'][number]) {
  const { number, at, url, statusCode, durationMs, error, response } = attempt;
  const isUnderWay = durationMs === null && error === null;
  const outcome = isUnderWay
    ? pill('wait', t.text('portal.attempt.underWay'))
    : pill(error === null ? 'good' : 'bad', error ?? t.text('portal.attempt.status', { status: String(statusCode) }));
  return html`<li><p><strong>${t.text('portal.attempt.number', { number })}</strong>${outcome}<span class="note">${moment(t, at)}${durationMs !== null && html` · ${t.text('portal.attempt.ms', { ms: durationMs })}`}${url !== null && html` · <bdi>${url}</bdi>`}</span></p>
${response !== null && response !== '' && html`<details><summary>${t.text('portal.attempt.answer')}</summary><pre tabindex="0">${response}</pre></details>`}</li>
`;
}

function body(t: Texts, { request }: Shown): Html {
  if (request.body === null) return html`<p class="note">${t.text('portal.body.purged')}</p>`;
  return html`<pre>${spaced(request.body)}</pre>
<details class="plain"><summary>${t.text('portal.body.raw')}</summary><pre>${request.body}</pre></details>`;
}

/** As it is read best. */
function spaced(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function signature(t: Texts, { delivery, request: { headers, ownHeaders } }: Shown): Html {
  const lines = Object.entries(headers).map(([key, value]) => fact(key, name(value)));
  const own = ownHeaders.map((key) => fact(key, html`<i>${t.text('portal.headers.own')}</i>`));
  return html`<section><h2>${t.text('portal.headers.title')}</h2>
<p class="hint">${t.text(delivery.lastAttemptAt === null ? 'portal.headers.asOfNow' : 'portal.headers.asOf')}</p>
<dl class="heads">${lines}${own}</dl></section>
<section><h2>${t.text('portal.signature.title')}</h2>
<ul><li>${t.text('portal.signature.contract')}</li><li>${t.text('portal.signature.standard')}</li></ul>
<p class="pages"><a href="/docs/webhooks#verify">${t.text('portal.signature.more')}</a></p></section>`;
}
