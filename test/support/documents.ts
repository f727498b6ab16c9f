import { globSync, readFileSync } from 'node:fs';

/** A Markdown page of the project. */
export interface Document {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** Every Markdown page, by its path. */
export const documents: readonly Document[] = [
  ...globSync('*.md'),
  ...globSync('src/**/*.md'),
  ...globSync('migrations/**/*.md'),
  ...globSync('test/**/*.md'),
]
  .toSorted()
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** @throws Error when there is no such page */
export function documentAt(path: string): Document {
  const found = documents.find((document) => document.path === path);
  if (found === undefined) throw new Error(`there is no page ${path}`);
  return found;
}

/** The guides for those who use the server. */
export const guides = documents.filter(({ path }) => path.startsWith('src/docs/'));

/** The code of a page's blocks of one language, in their order. */
export const blocksOf = ({ text }: Document, language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, fence, code = '']) => (fence === language ? [code] : []));

/** What a numbered step of a page says, up to the end of its line. @throws Error when there is no such step */
export function stepOf({ path, text }: Document, number: number): Document {
  const [, step] = new RegExp(`^${number}\\. (.*)$`, 'm').exec(text) ?? [];
  if (step === undefined) throw new Error(`${path} has no step ${number}`);
  return { path, text: step };
}

/** A page without its blocks of code. */
export const proseOf = ({ text }: Document): string => text.replaceAll(/^```.*?^```$/gms, '');

/** What stands in backticks in a page's prose. */
export const quotedIn = (document: Document): string[] =>
  [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map(([, quoted = '']) => quoted);
