import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { projectFile } from '#lib/files.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';
import { lazy } from '#lib/lazy.ts';
import { english } from './messages/en.ts';

type English = typeof english;

/** A text that the pages have. */
export type TextKey = keyof English;

/** A text in a language; one that counts has a form for each plural category of the language. */
type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** What the texts are in a language. What is missing is said in English. */
export type Translation = Readonly<Partial<Record<TextKey, Message>>>;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type NamesOf<Said> = Said extends string ? NamesIn<Said> : NamesIn<Said[keyof Said]> | 'count';

/** The values that a text takes: those that its English names. */
type Given<Key extends TextKey, Value> = [NamesOf<English[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<English[Key]>, Value>>];

/** What a page is written with, in one language. */
export interface Texts {
  /** A BCP 47 tag. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** A text without markup. */
  text<Key extends TextKey>(key: Key, ...values: Given<Key, string | number>): string;
  /** A text into which markup goes as well; strings are escaped. */
  html<Key extends TextKey>(key: Key, ...values: Given<Key, string | number | Html>): Html;
  /** A number as it is written. */
  number(value: number): string;
  /** A moment as a clock in Lagos shows it. */
  moment(at: Date): string;
  /** A moment to the second, as a log has it. */
  stamp(at: Date): string;
  /** How long, in the largest unit that says enough. */
  duration(seconds: number): string;
}

type Values = Readonly<Record<string, string | number | Html>>;

const PLACE = /\{(\w+)\}/;

/** The texts of a language; without a translation English, as it is written in Nigeria. */
export function textsOf(language: string, translation: Translation = {}): Texts {
  const numbers = lazy(() => new Intl.NumberFormat(language));
  const clock = lazy(
    () =>
      new Intl.DateTimeFormat(language, {
        timeZone: 'Africa/Lagos',
        dateStyle: 'full',
        timeStyle: 'short',
        hourCycle: 'h23',
      }),
  );

  const logClock = lazy(
    () =>
      new Intl.DateTimeFormat(language, {
        timeZone: 'Africa/Lagos',
        dateStyle: 'medium',
        timeStyle: 'medium',
        hourCycle: 'h23',
      }),
  );

  /** A text, cut at its places: every second part is the name of a value. */
  const partsOf = (key: TextKey, values: Values): string[] => {
    const count = typeof values['count'] === 'number' ? values['count'] : 0;
    return (formOf(translation[key], language, count) ?? formOf(english[key], 'en', count) ?? '').split(PLACE);
  };
  const shown = <Value extends string | Html>(value: Value | number | undefined): Value | string =>
    typeof value === 'number' ? numbers().format(value) : (value ?? '');

  return {
    language,
    direction: new Intl.Locale(language).getTextInfo?.().direction === 'rtl' ? 'rtl' : 'ltr',
    text: (key, ...[values = {}]: Readonly<Record<string, string | number>>[]) =>
      partsOf(key, values)
        .map((part, index) => (index % 2 === 0 ? part : shown(values[part])))
        .join(''),
    html: (key, ...[values = {}]: Values[]) =>
      trustedHtml(
        partsOf(key, values)
          .map((part, index) => html`${index % 2 === 0 ? part : shown(values[part])}`.text)
          .join(''),
      ),
    number: (value) => numbers().format(value),
    moment: (at) =>
      clock()
        .format(at)
        .replace(/ (?=\d\d:\d\d$)/, '\u00A0'), // no line ends before the time
    stamp: (at) => logClock().format(at),
    duration: (seconds) => {
      const [value, unit] =
        seconds < 120
          ? ([seconds, 'second'] as const)
          : seconds <= 7_140
            ? ([Math.ceil(seconds / 60), 'minute'] as const)
            : ([Math.ceil(seconds / 3_600), 'hour'] as const);
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
    },
  };
}

function formOf(message: Message | undefined, language: string, count: number): string | undefined {
  if (message === undefined || typeof message === 'string') return message;
  return message[new Intl.PluralRules(language).select(count)] ?? message.other;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The languages that pages are written in, by their tags in lower case. */
    languages: Languages;
  }
}

/** English is among them always, as `en`. */
export type Languages = Map<string, Texts>;

const SHIPPED = projectFile('src/routes/pages/messages/');

/** English and the languages of a folder: each file `<tag>.json` in it is one, named by a BCP 47 tag. */
export function readLanguages(folder: URL = SHIPPED): Languages {
  const languages: Languages = new Map([['en', textsOf('en-NG')]]);
  for (const file of readdirSync(folder)) {
    const [, tag] = /^([\w-]+)\.json$/.exec(file) ?? [];
    if (tag === undefined) continue;
    const translation: Translation = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    languages.set(tag.toLowerCase(), textsOf(tag, translation));
  }
  return languages;
}

/** The texts in the language that a request wants most of those that there are. */
export const textsFor = ({ server, headers }: FastifyRequest): Texts =>
  languageFor(server.languages, headers['accept-language']);

/** More than any browser sends, in ranges and in characters; the rest of a longer header is ignored. */
const RANGES_MAX = 20;

const HEADER_MAX = 1_000;

/** The language that an Accept-Language header wants most, by lookup (RFC 4647 3.4): `ha-NG` takes `ha`. English where there is none. */
export function languageFor(languages: Languages, header: string | undefined): Texts {
  const fallback = languages.get('en') ?? textsOf('en-NG');
  const wanted = rangesOf(header ?? '');
  for (const { range, weight } of wanted) {
    if (weight === 0) continue;
    for (let tag = range; tag !== ''; tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))) {
      const found = languages.get(tag) ?? [...languages].find(([of]) => of.startsWith(`${tag}-`))?.[1];
      if (found !== undefined) return found;
    }
  }
  return fallback;
}

/** The ranges of the header, the one that is wanted most first, in lower case. */
const rangesOf = (header: string): { range: string; weight: number }[] =>
  header
    .slice(0, HEADER_MAX)
    .split(',', RANGES_MAX)
    .flatMap((part) => {
      const [, range, weight = '1'] = /^([a-z\d-]{1,35})(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i.exec(part.trim()) ?? [];
      return range === undefined ? [] : [{ range: range.toLowerCase(), weight: Math.min(Number(weight), 1) }];
    })
    .toSorted((one, other) => other.weight - one.weight);
