import { grouped } from '#lib/minor-units.ts';
import type { Column, Kind } from '#wire/operator-operations.ts';

const TEXT_MAX = 48;
const GAP = '  ';
/** Control and invisible characters: in a name they could move the cursor, reverse a text or hide a line. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cs}]/gu;

export interface Shown {
  text: string;
  /** Columns that did not fit. */
  left: string[];
  /** Whether a time stands in it. */
  hasMoments: boolean;
}

export interface Layout {
  /** Undefined: as wide as it gets. */
  width: number | undefined;
  utc: boolean;
  /** These columns and no others, in this order. */
  only?: readonly string[] | undefined;
}

/** A table of items. Columns that are empty in all of them are left out, and those that matter least where there is no room. */
export function tableOf(columns: readonly Column[], items: readonly unknown[], { width, utc, only }: Layout): Shown {
  const chosen =
    only === undefined
      ? columns.filter((column) => items.some((item) => hasValue(valueAt(item, column.name))))
      : only.map((name) => columns.find((column) => column.name === name) ?? { name, kind: 'text' as const });
  const max = width === undefined ? Number.POSITIVE_INFINITY : TEXT_MAX;
  const drawn = chosen.map((column) => drawnColumn(column, items, { utc, max }));
  const fitting = only === undefined && width !== undefined ? thatFit(drawn, width) : drawn;
  const lines = Array.from({ length: items.length + 1 }, (_, row) =>
    fitting
      .map(({ cells, size, column }) => padded(cells[row] ?? '', size, column.kind))
      .join(GAP)
      .trimEnd(),
  );
  return {
    text: `${lines.join('\n')}\n`,
    left: drawn.filter((one) => !fitting.includes(one)).map(({ column }) => column.name),
    hasMoments: fitting.some(({ column }) => column.kind === 'moment'),
  };
}

/** One thing: a line for each of its members, and a table for each list of its things. */
export function cardOf(columns: readonly Column[], item: unknown, layout: Layout): Shown {
  const there = columns.filter(({ name }) => hasValue(valueAt(item, name)));
  const lists = there.filter((column) => column.columns !== undefined);
  const lines = there.filter((column) => column.columns === undefined);
  const size = Math.max(0, ...lines.map(({ name }) => labelOf(name).length));
  const max = Number.POSITIVE_INFINITY;
  const text = lines
    .map(
      ({ name, kind }) => `${labelOf(name).padEnd(size)}${GAP}${cell(kind, valueAt(item, name), { ...layout, max })}\n`,
    )
    .join('');
  const tables = lists.map(({ name, columns: inner = [] }) => {
    const items = valueAt(item, name) as unknown[];
    return { name, shown: tableOf(inner, items, { width: layout.width, utc: layout.utc }) };
  });
  return {
    text: text + tables.map(({ name, shown }) => `\n${labelOf(name)}\n${shown.text}`).join(''),
    left: [],
    hasMoments: lines.some(({ kind }) => kind === 'moment') || tables.some(({ shown }) => shown.hasMoments),
  };
}

/** The columns of things that are not described: their members, as they are. */
export function columnsIn(item: unknown, described: readonly Column[]): Column[] {
  const known = (name: string) =>
    described.some((column) => column.name === name || column.name.startsWith(`${name}.`));
  const others = Object.keys(Object(item) as object).filter((name) => !known(name));
  return [...described, ...others.map((name) => ({ name, kind: 'text' as const }))];
}

interface Drawn {
  column: Column;
  /** The heading, and a cell for each item. */
  cells: string[];
  size: number;
}

function drawnColumn(column: Column, items: readonly unknown[], how: { utc: boolean; max: number }): Drawn {
  const cells = [
    labelOf(column.name).toUpperCase(),
    ...items.map((item) => cell(column.kind, valueAt(item, column.name), how)),
  ];
  return { column, cells, size: Math.max(...cells.map(widthOf)) };
}

/** Drops the column that matters least, the last of its like first, until the others fit; the first two stay. */
function thatFit(drawn: readonly Drawn[], width: number): Drawn[] {
  const kept = [...drawn];
  const total = () => kept.reduce((sum, { size }) => sum + size + GAP.length, -GAP.length);
  while (kept.length > 2 && total() > width) {
    const weights = kept.map(({ column }, at) => (at === 0 ? -1 : weightOf(column)));
    kept.splice(weights.lastIndexOf(Math.max(...weights)), 1);
  }
  return kept;
}

function weightOf({ name, kind, values }: Column): number {
  if (/^(reference|name|status|state|role)$/i.test(name)) return 0;
  if (/^(amount|balance|currency|totalAmount|type|event|createdAt|at|action|operation)$/i.test(name)) return 1;
  if (kind === 'money' || values !== undefined) return 2;
  if (kind === 'text' || kind === 'integer' || kind === 'boolean' || kind === 'day') return 3;
  return kind === 'moment' ? 4 : 5;
}

/** `sender.name` as a heading: `Sender name`. */
function labelOf(name: string): string {
  const words = name.replaceAll('.', ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return seen(words.charAt(0).toUpperCase() + words.slice(1).toLowerCase());
}

const valueAt = (item: unknown, name: string): unknown =>
  Object(item)[name] ?? name.split('.').reduce<unknown>((value, member) => Object(value)[member], item);

const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

function cell(kind: Kind, value: unknown, { utc, max }: { utc: boolean; max: number }): string {
  if (!hasValue(value)) return '';
  if (kind === 'money' && typeof value === 'number') return written(value);
  if (kind === 'moment' && typeof value === 'string') return momentOf(value, utc);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.some((one) => typeof one === 'object')) return `${value.length}`;
  const isPlain = typeof value === 'string' || typeof value === 'number';
  const text = Array.isArray(value) ? value.join(', ') : isPlain ? String(value) : JSON.stringify(value);
  return cut(seen(text), kind === 'id' ? Number.POSITIVE_INFINITY : max);
}

/** Escapes every control and invisible character, so that none acts on the terminal. */
export const seen = (text: string): string =>
  text.replaceAll(UNSEEN, (one) => (one === '\n' || one === '\t' ? ' ' : escaped(one)));

/** The same of lines, which stay lines. JSON stays JSON, and the same. */
export const seenLines = (text: string): string =>
  text.replaceAll(UNSEEN, (one, at: number) => {
    const isEnd = one === '\n' || (one === '\r' && text[at + 1] === '\n');
    return isEnd ? one : escaped(one);
  });

const escaped = (one: string): string =>
  one
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

/** `1500.5` as `1,500.50`. */
function written(amount: number): string {
  const [whole = '', decimals = ''] = Math.abs(amount).toFixed(2).split('.');
  return `${amount < 0 ? '-' : ''}${grouped(whole)}.${decimals}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** To the second, here or in UTC. */
export function momentOf(text: string, utc: boolean): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return seen(text);
  if (utc) return at.toISOString().slice(0, 19).replace('T', ' ');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** How far the clocks here are from UTC: `UTC+01:00`. */
export function zoneOf(at: Date, utc: boolean): string {
  const minutes = utc ? 0 : -at.getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const off = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(off / 60))}:${two(off % 60)}`;
}

const padded = (text: string, size: number, kind: Kind): string => {
  const space = ' '.repeat(size - widthOf(text));
  return kind === 'money' || kind === 'integer' ? space + text : text + space;
};

/** Places that a text takes: marks take none, and what is East Asian or a picture takes two. */
function widthOf(text: string): number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.length;
  let width = 0;
  for (const one of text) {
    if (/\p{M}/u.test(one)) continue;
    width += /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(one)
      ? 2
      : 1;
  }
  return width;
}
