import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/** One import or re-export of a file. */
export interface Import {
  readonly specifier: string;
  /** The file of the project that it names, from the root; undefined for a package and for a front door. */
  readonly file: string | undefined;
  /** Nothing of it is left when the program runs. */
  readonly isType: boolean;
  /** What is imported, and what it is called here; `*` is everything. */
  readonly names: readonly { readonly name: string; readonly as: string }[];
}

/** A file of the project, read for its walls. */
export interface Source {
  /** From the root, as src/modules/tags/store.ts. */
  readonly path: string;
  /** Its text without the comments. */
  readonly code: string;
  readonly lines: number;
  readonly imports: readonly Import[];
}

/** A rule of the house: the files that break it, each with what it breaks. */
export type Rule = (sources: readonly Source[]) => string[];

/** Every TypeScript file under `folder` of the project. */
export function readSources(folder: 'src' | 'test'): Source[] {
  const root = new URL('../../../', import.meta.url);
  const names = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
  return paths.map((path) => parse(path, readFileSync(new URL(path, root), 'utf8')));
}

/** Files that exist nowhere but here, to show that a rule can be broken. */
export const imagine = (files: Record<string, string>): Source[] =>
  Object.entries(files).map(([path, text]) => parse(path, text));

/** The room of a path under src/modules, or undefined. */
export const roomOf = (path: string): string | undefined => /^src\/modules\/([^/]+)\//.exec(path)?.[1];

/** The room whose front door a specifier is, or undefined. */
export const frontDoor = (specifier: string): string | undefined => /^#modules\/([^/]+)$/.exec(specifier)?.[1];

const STRING_OR_COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const CLAUSE = /(?:\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*(?:\{[^}]*\}|\*\s+as\s+\w+))?|\{[^}]*\})/;
const FROM = new RegExp(`\\b(?:import|export)\\s+(type\\s+)?(${CLAUSE.source})\\s*from\\s*['"]([^'"]+)['"]`, 'g');
const BARE = /\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

function parse(path: string, text: string): Source {
  const code = text.replace(STRING_OR_COMMENT, (whole, string: string | undefined) => string ?? blank(whole));
  const from = [...code.matchAll(FROM)].map(([, type, clause = '', specifier = '']) => {
    const names = namesIn(clause);
    const isType = type !== undefined || (names.length > 0 && names.every((name) => name.isType));
    return { specifier, file: fileOf(path, specifier), isType, names };
  });
  const bare = [...code.matchAll(BARE)].map(([, specifier = '']) => {
    return { specifier, file: fileOf(path, specifier), isType: false, names: [{ name: '*', as: '*' }] };
  });
  return { path, code, lines: text.trimEnd().split('\n').length, imports: [...from, ...bare] };
}

/** Keeps the line breaks, so that code stays where it is. */
const blank = (comment: string): string => comment.replace(/[^\n]/g, ' ');

/** The folders that package.json gives a name of their own, as in `#lib/clock.ts`. */
const NAMED_FOLDER = /^#(lib|http|wire)\/(.+)$/;

function fileOf(path: string, specifier: string): string | undefined {
  const [, folder, file] = NAMED_FOLDER.exec(specifier) ?? [];
  if (folder !== undefined) return `src/${folder}/${file}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
}

/** Of `{ a, type b as c }`, `name` or `* as name`. */
function namesIn(clause: string): { name: string; as: string; isType: boolean }[] {
  const braced = /\{([^}]*)\}/.exec(clause)?.[1];
  const parts = braced === undefined ? [clause] : braced.split(',');
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, type, name = '', as = name] = /^(type\s+)?([\w*]+)(?:\s+as\s+(\w+))?$/.exec(part) ?? [];
      return { name, as, isType: type !== undefined };
    });
}
/** Three rooms, of which `b` refers to a table of `a`, and `c` to none. */
export const rooms: Record<string, string> = {
  'src/modules/a/index.ts': `export { thing } from './sql.ts';`,
  'src/modules/a/tables.ts': `const aSchema = pgSchema('a_schema'); export const thing = aSchema.table('thing', {});`,
  'src/modules/b/index.ts': `export { list } from './list.ts';`,
  'src/modules/b/tables.ts': `import { thing } from '#modules/a';\nexport const other = bSchema.table('other', {});`,
  'src/modules/b/store.ts': `import { other } from './sql.ts';`,
  'src/modules/b/show.ts': `import { list } from './list.ts';`,
  'src/modules/c/index.ts': `export { c } from './c.ts';`,
};

/** A rule, files that break it, and files beside them that do not. */
export interface RuleCase {
  readonly rule: Rule;
  readonly broken: Readonly<Record<string, string>>;
  readonly fine: Readonly<Record<string, string>>;
}

/** Holds rules in the project, and shows of each what it refuses and what it does not. */
export function describeRules(rules: readonly RuleCase[], source: readonly Source[]): void {
  describe.each(rules.map((one) => ({ ...one, name: one.rule.name })))('$name', ({ rule, broken, fine }) => {
    test('holds in the project', () => {
      expect(rule(source)).toEqual([]);
    });

    test.each(Object.entries(broken))('is broken by %s', (path, text) => {
      expect(rule(imagine({ ...rooms, [path]: text }))).not.toEqual([]);
    });

    test('asks no more than that', () => {
      expect(rule(imagine({ ...rooms, ...fine }))).toEqual([]);
    });
  });
}
