import { type Html, html } from '#lib/html.ts';
import { lazy } from '#lib/lazy.ts';
import type { Column } from '../catalogue/operations.ts';
import { addressOfThing, type Members } from '../catalogue/things.ts';
import { labelOf } from '../catalogue/words.ts';
import { head, section } from '../look/parts.ts';
import { table } from '../look/table.ts';
import { moment, moneyText, numberText } from '../look/values.ts';
import type { Ask, PagePart } from '../reads/shown.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';

const DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1000;

/** One thing that may be wrong, as `getOverview` reports it. */
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

interface Overview {
  at: string;
  signs: Sign[];
  floats: Members[];
  providers: Members[];
  moneyDate: string;
  moneyByType: { type: string }[];
}

type Asked = { visitor: ConsoleVisitor; ask: Ask; columns: readonly Column[]; answer: Members | undefined };

/** What is wrong now and what needs an operator, each number linked to its list; and the money of the last days. */
export async function overviewPage({ visitor, ask, columns, answer }: Asked): Promise<PagePart> {
  const title = 'Overview';
  if (answer === undefined) {
    const again = html`<div class="panel alert" role="alert"><h2>The overview is not available right now</h2><p><a href="${CONSOLE}">Try again</a></p></div>`;
    return { title, body: html`${head(title)}${again}` };
  }
  const overview = answer as unknown as Overview;
  const days = await Promise.all(lastDays(overview.moneyDate).map(async (date) => moneyOf(ask, date)));
  const list = (name: string): readonly Column[] => columns.find((column) => column.name === name)?.columns ?? [];
  return {
    title,
    body: html`<div id="now" hx-get="${CONSOLE}" hx-select="#now" hx-trigger="every 30s" hx-swap="outerHTML">
${head(title, { lead: html`As of ${moment(overview.at)}` })}
${whatIsWrong(overview.signs)}
${overview.floats.length > 0 && section('Floats that are low', html`<div id="floats">${table(visitor, { columns: list('floats'), items: overview.floats.map((one) => ({ ...one, currency: 'NGN' })), label: 'Floats that are low', addressOf: ({ partnerId }) => addressOfThing(visitor, 'getPartner', String(partnerId)) })}</div>`)}
${section(`The money of the last ${DAYS} days`, dayChart(days))}
${overview.moneyByType.length > 0 && section('The money of today', table(visitor, { columns: list('moneyByType'), items: overview.moneyByType, label: 'The money of today', addressOf: ({ type }) => `${CONSOLE}/transactions?${new URLSearchParams({ type: String(type), from: `${overview.moneyDate}T00:00` }).toString()}` }))}
${overview.providers.length > 0 && section('Providers', html`<div id="providers">${table(visitor, { columns: list('providers'), items: overview.providers, label: 'Providers' })}</div>`)}
</div>`,
  };
}

/** Signs that need an operator, the worst first; then in short those that are good. */
function whatIsWrong(signs: readonly Sign[]): Html {
  const of = (...states: Sign['state'][]): Sign[] => signs.filter(({ state }) => states.includes(state));
  const [wrong, waiting, good] = [of('WRONG'), of('WAITS', 'UNKNOWN'), of('GOOD')];
  return html`${part('wrong', wrong.length === 0 ? 'Nothing is wrong' : 'Wrong now', wrong)}${waiting.length > 0 && part('waits', 'Needs an operator', waiting)}${
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
  const details = [
    ...(amount === undefined || amount === 0 ? [] : [html`, ${moneyText(amount, 'NGN')}`]),
    ...(isMoment || since === undefined ? [] : [html`, since ${moment(since)}`]),
  ];
  const inner = html`<strong>${numberOf(sign)}</strong><span>${labelOf(name)}</span><small>${says}${details}</small>`;
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

/** Seals and checks show the time of the last one instead of a number. */
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

export interface MoneyOfDay {
  date: string;
  /** In naira; undefined if it is unknown. */
  moved: number | undefined;
}

const WIDTH = 700;

const HEIGHT = 180;

const BASE = 140;

const TOP = 32;

const weekday = lazy(() => new Intl.DateTimeFormat('en-NG', { weekday: 'short', day: 'numeric', timeZone: 'UTC' }));

const short = lazy(() => new Intl.NumberFormat('en-NG', { notation: 'compact', maximumFractionDigits: 1 }));

/** A bar for the money moved on each day, linked to that day’s trial balance. */
function dayChart(days: readonly MoneyOfDay[]): Html {
  const highest = Math.max(1, ...days.map(({ moved = 0 }) => moved));
  const step = WIDTH / days.length;
  const bars = days.map(({ date, moved = 0 }, at) => {
    const height = Math.round((moved / highest) * (BASE - TOP));
    const x = Math.round(at * step + step * 0.2);
    const middle = Math.round(at * step + step / 2);
    return html`<a href="${CONSOLE}/ledger/trial-balance/${date}"><title>${date}: ${moneyText(moved, 'NGN')}</title><rect class="hit" x="${Math.round(at * step)}" y="0" width="${Math.round(step)}" height="${HEIGHT}"/><rect class="in" x="${x}" y="${BASE - height}" width="${Math.round(step * 0.6)}" height="${Math.max(height, 1)}"/><text x="${middle}" y="${BASE - height - 8}" text-anchor="middle">₦${short().format(moved)}</text><text x="${middle}" y="${BASE + 26}" text-anchor="middle">${weekday().format(new Date(`${date}T00:00:00Z`))}</text></a>
`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Naira moved on each day"><line x1="0" x2="${WIDTH}" y1="${BASE}" y2="${BASE}"/>${bars}</svg>`;
}
