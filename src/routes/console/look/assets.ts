import { readFileSync } from 'node:fs';
import { sha256 } from '#lib/crypto/digest.ts';
import { projectFile } from '#lib/files.ts';
import { lazy } from '#lib/lazy.ts';
import { CONSOLE } from '../session.ts';

const files = {
  'htmx.js': projectFile('node_modules/htmx.org/dist/htmx.min.js'),
  'keys.js': projectFile('src/routes/console/look/keys.js'),
} as const;

type Name = keyof typeof files;

const read = lazy(() =>
  Object.fromEntries(
    Object.entries(files).map(([name, where]) => {
      const text = readFileSync(where, 'utf8');
      return [name, { text, version: sha256(text).toString('hex').slice(0, 12) }];
    }),
  ),
);

/** The text of a script; undefined where there is none of this name. */
export const scriptNamed = (name: string): string | undefined =>
  Object.hasOwn(files, name) ? read()[name]?.text : undefined;

/** Where pages load the scripts from: by an address that changes with what stands in them. */
export const scriptPaths = (): string[] =>
  (Object.keys(files) as Name[]).map((name) => `${CONSOLE}/assets/${name}?v=${read()[name]?.version ?? ''}`);
