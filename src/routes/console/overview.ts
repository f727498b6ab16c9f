import type { FastifyRequest } from 'fastify';
import { type Html, html } from '#lib/html.ts';
import type { Members } from './catalogue/things.ts';
import { labelOf } from './catalogue/words.ts';
import { dayChart, type MoneyOfDay } from './look/day-chart.ts';
import { moment, moneyText, numberText } from './look/values.ts';
import { askApi, CONSOLE } from './session.ts';

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A day begins when it does in Lagos. */
const LAGOS_MS = 60 * 60 * 1000;

/** One thing that may be wrong, as the operation `getOverview` tells it. */
interface Sign {
  name: string;
  state: 'GOOD' | 'WAITS' | 'WRONG' | 'UNKNOWN';
  count?: number;
  countIsExact?: false;
  amount?: number;
  since?: string;
  says: string;
  where?: string;
}

interface Told {
  at: string;
  signs: Sign[];
  floats: { partnerId: string; balance: number; averageDay: number }[];
  providers: { purpose: string; provider: string; state: 'UP' | 'DOWN' | 'UNKNOWN'; since?: string }[];
  moneyByType: { type: string; currency: string; amount: number; transactions: number }[];
}

const looks = { GOOD: 'calm', WAITS: 'wait', WRONG: 'bad', UNKNOWN: 'wait' } as const;

/** Whether anything is wrong now: what waits for somebody, each number leading to what it counts; and the money of the last days. */
export async function overviewOf(request: FastifyRequest, now: Date): Promise<Html> {
  const [{ status, body }, days] = await Promise.all([
    askApi(request, { method: 'GET', path: '/overview' }),
    Promise.all(lastDays(now).map(async (date) => moneyOf(request, date))),
  ]);
  const told = status === 200 ? (body as Told) : undefined;
  return html`<div id="now" hx-get="${CONSOLE}" hx-select="#now" hx-trigger="every 30s" hx-swap="outerHTML">
<p class="lead">As of ${moment(told?.at ?? now.toISOString())}</p>
${told === undefined ? html`<div class="panel alert" role="alert"><p>What is wrong now cannot be told at this moment. <a href="${CONSOLE}">Ask again</a></p></div>` : html`<ul class="tiles">${told.signs.map(tile)}</ul>${floats(told)}${providers(told)}`}
<section><h2>The money of the last ${String(DAYS)} days</h2>${dayChart(days)}</section>
${told !== undefined && told.moneyByType.length > 0 && html`<section><h2>The money of today</h2><ul>${told.moneyByType.map(({ type, currency, amount, transactions }) => html`<li><a href="${CONSOLE}/transactions?type=${type}">${labelOf(type)}</a>: ${moneyText(amount, currency)} in ${numberText(transactions)}</li>`)}</ul></section>`}
</div>`;
}

function tile({ name, state, count, countIsExact, amount, since, says, where }: Sign): Html {
  const number = count === undefined ? '?' : `${countIsExact === false ? 'over ' : ''}${numberText(count)}`;
  const isMoment = name.startsWith('BOOKS_') && count === undefined;
  const shown = isMoment && since !== undefined ? moment(since) : html`${number}`;
  const besides = [
    ...(amount === undefined || amount === 0 ? [] : [html`, ${moneyText(amount, 'NGN')}`]),
    ...(isMoment || since === undefined ? [] : [html`, since ${moment(since)}`]),
  ];
  const inner = html`<strong>${shown}</strong><span>${labelOf(name)}</span><small>${says}${besides}</small>`;
  return html`<li>${where === undefined ? html`<a class="${looks[state]}">${inner}</a>` : html`<a class="${looks[state]}" href="${CONSOLE}${where}">${inner}</a>`}</li>
`;
}

const floats = ({ floats: low }: Told): Html =>
  low.length === 0
    ? html``
    : html`<section><h2>Floats that are low</h2><ul>${low.map(({ partnerId, balance, averageDay }) => html`<li><a href="${CONSOLE}/partners/${partnerId}">${partnerId}</a>: ${moneyText(balance, 'NGN')}, where ${moneyText(averageDay, 'NGN')} leave it on an average day</li>`)}</ul></section>`;

const providers = ({ providers: asked }: Told): Html => {
  const down = asked.filter(({ state }) => state === 'DOWN');
  return down.length === 0
    ? html``
    : html`<section><h2>Providers that are down</h2><ul>${down.map(({ purpose, provider, since }) => html`<li>${provider} (${labelOf(purpose)})${since !== undefined && html`, since ${moment(since)}`}</li>`)}</ul></section>`;
};

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
