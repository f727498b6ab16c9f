import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { projectFile } from '#lib/files.ts';
import { type Texts, type Translation, textsOf } from './texts.ts';

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

/** More than any browser sends, in ranges and in characters; a header that goes on is read no further. */
const RANGES_MAX = 20;
const HEADER_MAX = 1_000;

/** The language that an Accept-Language header wants most, by lookup (RFC 4647 3.4): `ha-NG` takes `ha`. English where there is none. */
export function languageFor(languages: Languages, header: string | undefined): Texts {
  const english = languages.get('en') ?? textsOf('en-NG');
  const wanted = rangesOf(header ?? '');
  for (const { range, weight } of wanted) {
    if (weight === 0) continue;
    for (let tag = range; tag !== ''; tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))) {
      const found = languages.get(tag) ?? [...languages].find(([of]) => of.startsWith(`${tag}-`))?.[1];
      if (found !== undefined) return found;
    }
  }
  return english;
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
