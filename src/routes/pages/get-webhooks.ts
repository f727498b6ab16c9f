import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { type Html, html } from '#lib/html.ts';
import { type Receiver, readReceivers } from '#modules/outbox';
import { listOwnDeliveries } from '#modules/webhooks';
import { deliveriesQuery, deliveryPages } from '#wire/delivery.ts';
import { eventNames } from '#wire/event-names.ts';
import { eventWords } from '#wire/event-webhooks.ts';
import { optional } from '#wire/text.ts';
import { type Page, sendPage } from './page.ts';
import {
  endpointName,
  enter,
  moment,
  type PortalDeps,
  portalPage,
  refusePortal,
  statusPill,
  type Visitor,
  whose,
} from './portal.ts';
import type { Texts } from './texts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const day = optional(z.iso.date().refine((text) => text >= '1970-01-02' && text < '9999'));

const querystring = deliveriesQuery.omit({ limit: true, offset: true }).extend({ from: day, to: day });

/** When a day of Lagos begins. */
const beginOf = (date: string): Date => new Date(`${date}T00:00:00+01:00`);

/** The deliveries of the partner, found and paged as its API does. */
export function getWebhooks(app: ZodApp, deps: PortalDeps & DepsOf<typeof listOwnDeliveries>): void {
  app.get('/webhooks', { errorHandler: refusePortal, schema: { hide: true, querystring } }, async (request, reply) => {
    const visitor = await enter(deps, request);
    const { cursor, ...chosen } = request.query;
    const paged = { limit: 20, offset: 0 };
    const asked = {
      ...chosen,
      ...paged,
      cursor,
      partnerId: visitor.partner.id,
      from: chosen.from === undefined ? undefined : beginOf(chosen.from),
      to: chosen.to === undefined ? undefined : new Date(beginOf(chosen.to).getTime() + DAY_MS),
    };
    const [found, endpoints] = await Promise.all([
      listOwnDeliveries(deps, asked),
      readReceivers(deps.db, visitor.partner.id),
    ]);
    const { nextCursor } = deliveryPages.page(found, paged, ({ id }) => id);
    const shown = { found, endpoints, chosen, nextCursor, isFirst: cursor === undefined };
    return sendPage(reply, 200, portalPage(visitor, { tab: 'deliveries' }, deliveriesPage(visitor, shown)));
  });
}

type Found = Awaited<ReturnType<typeof listOwnDeliveries>>;

/** What was asked for, as the form says it. */
interface Chosen {
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined;
  event?: string | undefined;
  error?: string | undefined;
  endpointId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface Shown {
  found: Found;
  /** Of the partner, as they are now. */
  endpoints: readonly Receiver[];
  chosen: Chosen;
  nextCursor: string | undefined;
  isFirst: boolean;
}

const statuses = ['DELIVERED', 'PENDING', 'FAILED'] as const;

const partnerEvents = eventNames.filter((event) => eventWords[event].surface === '/v2');

/** The list of deliveries, and the form that finds some of them. */
const deliveriesPage =
  (visitor: Visitor, shown: Shown): Page =>
  (t) => {
    const { found, nextCursor, chosen, isFirst } = shown;
    const { count, countIsExact } = found;
    const title = t.text('portal.list.title');
    return {
      title,
      body: html`<h1>${title}</h1>${whose(t, visitor)}
${filterForm(t, shown)}
${
  found.items.length === 0
    ? emptyList(t, isFiltered(chosen))
    : html`<p class="note">${t.text(countIsExact ? 'portal.list.count' : 'portal.list.about', { count })}</p>
<ul class="rows">${found.items.map((item) => row(t, item, shown))}</ul>`
}
<p class="pages">${!isFirst && html`<a href="${pathOf(chosen)}">${t.text('portal.list.newest')}</a>`}${nextCursor !== undefined && html`<a href="${pathOf(chosen, nextCursor)}">${t.text('portal.list.more')}</a>`}</p>`,
    };
  };

const isFiltered = (chosen: Chosen): boolean => Object.values(chosen).some((value) => value !== undefined);

function pathOf(chosen: Chosen, cursor?: string): string {
  const given = Object.entries({ ...chosen, cursor }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return query === '' ? '/webhooks' : `/webhooks?${query}`;
}

const emptyList = (t: Texts, filtered: boolean): Html =>
  filtered
    ? html`<div class="panel"><h2>${t.text('portal.list.noMatch')}</h2><p>${t.text('portal.list.noMatch.text')}</p></div>`
    : html`<div class="panel"><h2>${t.text('portal.list.none')}</h2><p>${t.text('portal.list.none.text')}</p></div>`;

function row(t: Texts, item: Found['items'][number], { endpoints }: Shown): Html {
  const { id, event, reference, status, attempts, lastError, createdAt, endpointId } = item;
  const about = [
    html`<bdi>${reference}</bdi>`,
    endpoints.length > 1 &&
      html`<bdi>${endpointName(
        t,
        endpoints.find((one) => one.id === endpointId),
      )}</bdi>`,
    status !== 'DELIVERED' && lastError !== null && html`<bdi>${lastError}</bdi>`,
  ].filter((part) => part !== false);
  return html`<li><span>${statusPill(t, status)}</span><span class="what"><a href="/webhooks/deliveries/${id}">${event}</a></span>
<p class="when">${moment(t, createdAt)}</p>
<p class="about">${about.map((part, at) => html`${at > 0 && ' · '}${part}`)}</p>
<p class="also">${attempts === 0 ? t.text('portal.attempts.zero') : t.text('portal.attempts', { count: attempts })}</p></li>
`;
}

interface Option {
  value: string;
  label: string;
}

const select = (t: Texts, id: string, label: string, options: readonly Option[], chosen: string | undefined): Html =>
  html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${id}"><option value="">${t.text('portal.filter.any')}</option>${options.map(
    ({ value, label: shown }) => html`<option value="${value}"${value === chosen && html` selected`}>${shown}</option>`,
  )}</select></div>`;

const dayField = (id: 'from' | 'to', label: string, chosen: string | undefined): Html =>
  html`<div class="field"><label for="${id}">${label}</label><input type="date" id="${id}" name="${id}" value="${chosen ?? ''}"></div>`;

function filterForm(t: Texts, { chosen, endpoints }: Shown): Html {
  const filtered = isFiltered(chosen);
  const events = partnerEvents.map((event) => ({ value: event, label: event }));
  const ofStatus = statuses.map((status) => ({ value: status, label: t.text(`portal.status.${status}`) }));
  const ofEndpoint = endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointName(t, endpoint) }));
  return html`<details class="filter"${filtered && html` open`}><summary>${t.text(filtered ? 'portal.filter.on' : 'portal.filter')}</summary>
<form method="get" action="/webhooks">
${select(t, 'status', t.text('portal.filter.status'), ofStatus, chosen.status)}
${select(t, 'event', t.text('portal.filter.event'), events, chosen.event)}
${endpoints.length > 1 && select(t, 'endpointId', t.text('portal.filter.endpoint'), ofEndpoint, chosen.endpointId)}
<div class="field"><label for="error">${t.text('portal.filter.error')}</label><input id="error" name="error" maxlength="100" value="${chosen.error ?? ''}" aria-describedby="error-hint" autocomplete="off" spellcheck="false"><p class="hint" id="error-hint">${t.text('portal.filter.error.hint')}</p></div>
${dayField('from', t.text('portal.filter.from'), chosen.from)}
${dayField('to', t.text('portal.filter.to'), chosen.to)}
<div class="buttons"><button class="main">${t.text('portal.filter.submit')}</button></div>
</form>${filtered && html`<p class="pages"><a href="/webhooks">${t.text('portal.list.all')}</a></p>`}</details>`;
}
