import type { FastifyRequest } from 'fastify';
import { type Html, html } from '#lib/html.ts';
import { operationNamed } from './catalogue/operations.ts';
import type { Members } from './catalogue/things.ts';
import { dayChart, type MoneyOfDay } from './look/day-chart.ts';
import { moment, numberText } from './look/values.ts';
import { askApi, CONSOLE, visitorOf } from './session.ts';

interface Counted {
  operationId: string;
  /** What is counted, of a list. */
  query: string;
  label: string;
  /** What a number above zero says. */
  look: 'bad' | 'wait';
  /** What to do about it. */
  text: string;
}

/** What asks for somebody when there is any of it. */
const counted: readonly Counted[] = [
  {
    operationId: 'listApprovals',
    query: 'status=PENDING',
    label: 'Approvals waiting',
    look: 'wait',
    text: 'for another operator',
  },
  {
    operationId: 'listPayouts',
    query: 'state=UNKNOWN',
    label: 'Payouts of unknown end',
    look: 'bad',
    text: 'ask again, or find out',
  },
  {
    operationId: 'listPayouts',
    query: 'contradicted=true',
    label: 'Payouts told otherwise',
    look: 'bad',
    text: 'the provider contradicts itself',
  },
  { operationId: 'listSuspense', query: '', label: 'In suspense', look: 'bad', text: 'money that reached nobody' },
  {
    operationId: 'listInbox',
    query: 'state=DIFFERENT',
    label: 'Messages that differ',
    look: 'bad',
    text: 'from what we have booked',
  },
  {
    operationId: 'listDeliveries',
    query: 'status=FAILED',
    label: 'Deliveries failed',
    look: 'bad',
    text: 'after the last attempt',
  },
  {
    operationId: 'listDeliveries',
    query: 'status=PENDING',
    label: 'Deliveries waiting',
    look: 'wait',
    text: 'to be sent, or sent again',
  },
  {
    operationId: 'listReconciliationItems',
    query: 'status=THEIRS_ALONE',
    label: 'At the bank alone',
    look: 'bad',
    text: 'and not in our books',
  },
  {
    operationId: 'listReconciliationItems',
    query: 'status=OURS_ALONE',
    label: 'In our books alone',
    look: 'bad',
    text: 'and not at the bank',
  },
  {
    operationId: 'listDisputes',
    query: 'status=OPEN',
    label: 'Disputes open',
    look: 'bad',
    text: 'answer before they are lost',
  },
  {
    operationId: 'listApplications',
    query: 'status=PENDING',
    label: 'Applications waiting',
    look: 'wait',
    text: 'to be approved',
  },
];

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A day begins when it does in Lagos. */
const LAGOS_MS = 60 * 60 * 1000;

/** Whether anything is wrong now: what waits for somebody, each number leading to what it counts; and the money of the last days. */
export async function overviewOf(request: FastifyRequest, now: Date): Promise<Html> {
  const visitor = visitorOf(request);
  const seen = counted.flatMap((one) => {
    const operation = operationNamed(one.operationId);
    return operation === undefined || !visitor.may(operation) ? [] : [{ ...one, path: operation.path }];
  });
  const [tiles, days, seal] = await Promise.all([
    Promise.all(seen.map(async (one) => tile(one, await countOf(request, one)))),
    Promise.all(lastDays(now).map(async (date) => moneyOf(request, date))),
    lastSeal(request),
  ]);
  return html`<div id="now" hx-get="${CONSOLE}" hx-select="#now" hx-trigger="every 30s" hx-swap="outerHTML">
<p class="lead">As of ${moment(now.toISOString())}</p>
<ul class="tiles">${tiles}</ul>
<section><h2>The money of the last ${String(DAYS)} days</h2>${dayChart(days)}</section>
${seal !== undefined && html`<section><h2>The books</h2><p>Sealed last up to ${moment(seal)}. <a href="${CONSOLE}/seals">Seals</a> · <a href="${CONSOLE}/ledger/check">Check them now</a></p></section>`}
</div>`;
}

type Seen = Counted & { path: string };

async function countOf(
  request: FastifyRequest,
  { path, query }: Seen,
): Promise<{ count: number; isExact: boolean } | undefined> {
  const { status, body } = await askApi(request, { method: 'GET', path: `${path}?${query}&limit=0` });
  const { count, countIsExact } = Object(body) as { count?: number; countIsExact?: boolean };
  return status === 200 && count !== undefined ? { count, isExact: countIsExact !== false } : undefined;
}

function tile({ path, query, label, look, text }: Seen, found: { count: number; isExact: boolean } | undefined): Html {
  const shown = found === undefined ? '?' : `${found.isExact ? '' : 'over '}${numberText(found.count)}`;
  const isCalm = found?.count === 0;
  return html`<li><a class="${isCalm ? 'calm' : look}" href="${CONSOLE}${path}${query !== '' && `?${query}`}"><strong>${shown}</strong><span>${label}</span><small>${text}</small></a></li>
`;
}

const lastDays = (now: Date): string[] =>
  Array.from({ length: DAYS }, (_, at) =>
    new Date(now.getTime() + LAGOS_MS - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );

/** What moved on a day: each posting once, by its debits. */
async function moneyOf(request: FastifyRequest, date: string): Promise<MoneyOfDay> {
  const { status, body } = await askApi(request, { method: 'GET', path: `/ledger/trial-balance/${date}` });
  const totals = status === 200 ? ((body as Members)['totals'] as { currency: string; debits: number }[]) : [];
  return { date, moved: totals.find(({ currency }) => currency === 'NGN')?.debits };
}

async function lastSeal(request: FastifyRequest): Promise<string | undefined> {
  const { status, body } = await askApi(request, { method: 'GET', path: '/seals?limit=1' });
  return status === 200 ? (body as { items: { endsAt: string }[] }).items[0]?.endsAt : undefined;
}
