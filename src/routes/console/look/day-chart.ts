import { type Html, html } from '#lib/html.ts';
import { lazy } from '#lib/lazy.ts';
import { CONSOLE } from '../session.ts';
import { moneyText } from './values.ts';

export interface MoneyOfDay {
  date: string;
  /** In naira; undefined where it cannot be told. */
  moved: number | undefined;
}

const WIDTH = 700;
const HEIGHT = 180;
const BASE = 140;
const TOP = 32;

const weekday = lazy(() => new Intl.DateTimeFormat('en-NG', { weekday: 'short', day: 'numeric', timeZone: 'UTC' }));
const short = lazy(() => new Intl.NumberFormat('en-NG', { notation: 'compact', maximumFractionDigits: 1 }));

/** Bars of what moved on each day, each of which leads to that day’s trial balance; and the same as a table, for whoever listens. */
export function dayChart(days: readonly MoneyOfDay[]): Html {
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
