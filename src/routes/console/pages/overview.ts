import { type Html, html } from '#lib/html.ts';
import type { Column } from '../catalogue/operations.ts';
import { addressOfThing, type Members } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import { dayChart, type MoneyOfDay } from '../look/day-chart.ts';
import { head } from '../look/parts.ts';
import { table } from '../look/table.ts';
import { moment, moneyText, numberText } from '../look/values.ts';
import type { Ask, PagePart } from '../reads/shown.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';
import { section } from './sections.ts';

const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

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
  floats: Members[];
  providers: Members[];
  moneyDate: string;
  moneyByType: { type: string }[];
}

type Asked = { visitor: ConsoleVisitor; ask: Ask; columns: readonly Column[]; answer: Members | undefined };

/** Whether anything is wrong now: what waits for somebody, each number leading to what it counts; and the money of the last days. */
export async function overviewPage({ visitor, ask, columns, answer }: Asked): Promise<PagePart> {
  const title = 'Overview';
  if (answer === undefined) {
    const again = html`<div class="panel alert" role="alert"><h2>What is wrong now cannot be told at this moment</h2><p><a href="${CONSOLE}">Ask again</a></p></div>`;
    return { title, body: html`${head(title)}${again}` };
  }
  const told = answer as unknown as Told;
  const days = await Promise.all(lastDays(told.moneyDate).map(async (date) => moneyOf(ask, date)));
  const list = (name: string): readonly Column[] => columns.find((column) => column.name === name)?.columns ?? [];
  return {
    title,
    body: html`<div id="now" hx-get="${CONSOLE}" hx-select="#now" hx-trigger="every 30s" hx-swap="outerHTML">
${head(title, { lead: html`As of ${moment(told.at)}` })}
${whatIsWrong(told.signs)}
${told.floats.length > 0 && section('Floats that are low', html`<div id="floats">${table(visitor, { columns: list('floats'), items: told.floats.map((one) => ({ ...one, currency: 'NGN' })), label: 'Floats that are low', addressOf: ({ partnerId }) => addressOfThing(visitor, 'getPartner', String(partnerId)) })}</div>`)}
${section(`The money of the last ${DAYS} days`, dayChart(days))}
${told.moneyByType.length > 0 && section('The money of today', table(visitor, { columns: list('moneyByType'), items: told.moneyByType, label: 'The money of today', addressOf: ({ type }) => `${CONSOLE}/transactions?${new URLSearchParams({ type: String(type), from: `${told.moneyDate}T00:00` }).toString()}` }))}
${told.providers.length > 0 && section('Providers', html`<div id="providers">${table(visitor, { columns: list('providers'), items: told.providers, label: 'Providers' })}</div>`)}
</div>`,
  };
}

/** What asks for somebody, the worst first; and in short what does not. */
function whatIsWrong(signs: readonly Sign[]): Html {
  const of = (...states: Sign['state'][]): Sign[] => signs.filter(({ state }) => states.includes(state));
  const [wrong, waiting, good] = [of('WRONG'), of('WAITS', 'UNKNOWN'), of('GOOD')];
  return html`${part('wrong', wrong.length === 0 ? 'Nothing is wrong' : 'Wrong now', wrong)}${waiting.length > 0 && part('waits', 'Waits for somebody', waiting)}${
    good.length > 0 &&
    html`<h2 id="good">Nothing to do</h2><ul class="calm-signs" aria-labelledby="good">${good.map(calm)}</ul>`
  }`;
}

const part = (id: string, title: string, signs: readonly Sign[]): Html =>
  html`<h2 id="${id}">${title}</h2>${signs.length > 0 && html`<ul class="tiles" aria-labelledby="${id}">${signs.map(tile)}</ul>`}`;

function tile(sign: Sign): Html {
  const { name, state, amount, since, says } = sign;
  const where = whereOf(sign);
  const isMoment = isOfBooks(sign);
  const besides = [
    ...(amount === undefined || amount === 0 ? [] : [html`, ${moneyText(amount, 'NGN')}`]),
    ...(isMoment || since === undefined ? [] : [html`, since ${moment(since)}`]),
  ];
  const inner = html`<strong>${numberOf(sign)}</strong><span>${labelOf(name)}</span><small>${says}${besides}</small>`;
  const look = state === 'WRONG' ? 'bad' : 'wait';
  return html`<li>${where === undefined ? html`<div class="${look}">${inner}</div>` : html`<a class="${look}" href="${where}">${inner}</a>`}</li>
`;
}

/** Where the overview itself lists what is counted. */
const ownLists: Readonly<Record<string, string>> = { FLOATS_LOW: '#floats', PROVIDERS_DOWN: '#providers' };

/** Where what is counted is listed: on a page of its own, or further down. */
function whereOf({ name, where, count }: Sign): string | undefined {
  if (where !== undefined) return `${CONSOLE}${where}`;
  return (count ?? 0) === 0 ? undefined : ownLists[name];
}

/** Seals and checks are told by when the last one was. */
const isOfBooks = ({ name, count }: Sign): boolean => name.startsWith('BOOKS_') && count === undefined;

function numberOf(sign: Sign): Html {
  const { count, countIsExact, since } = sign;
  if (isOfBooks(sign)) return since === undefined ? html`not yet` : moment(since);
  return count === undefined ? html`?` : html`${countIsExact === false && 'over '}${numberText(count)}`;
}

const calm = (sign: Sign): Html => {
  const inner = html`${labelOf(sign.name)} <strong>${numberOf(sign)}</strong>`;
  const where = whereOf(sign);
  return html`<li>${where === undefined ? html`<span>${inner}</span>` : html`<a href="${where}">${inner}</a>`}</li>`;
};

/** The days until a day in Lagos, the last of them that day itself. */
const lastDays = (date: string): string[] =>
  Array.from({ length: DAYS }, (_, at) =>
    new Date(Date.parse(`${date}T00:00:00Z`) - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );

/** What moved on a day: each posting once, by its debits. */
async function moneyOf(ask: Ask, date: string): Promise<MoneyOfDay> {
  const answer = await ask('getTrialBalance', { date });
  const totals = (answer?.['totals'] ?? []) as { currency: string; debits: number }[];
  return { date, moved: totals.find(({ currency }) => currency === 'NGN')?.debits };
}
