import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/*
 * `npm run check:static` runs it: recheck looks whether a text can be made for which a regular expression of `src/` takes time that
 * grows faster than the text. What it has found safe stands in safe.txt, so that each is looked at once.
 */

const SAFE = new URL('safe.txt', import.meta.url);
/** For one pattern, on a machine that has other work. */
const JUDGED_WITHIN_MS = 120_000;

/** The patterns of the source, as they are written, with the places where they stand. */
function patterns(): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const file of globSync('src/**/*.{ts,js,cjs}')) {
    const text = readFileSync(file, 'utf8');
    const add = (pattern: string, at: number): void => {
      const place = `${file}:${text.slice(0, at).split('\n').length}`;
      places.set(pattern, [...(places.get(pattern) ?? []), place]);
    };
    const visitor = new Visitor({
      Literal(node) {
        if ('regex' in node && node.regex !== null) add(`/${node.regex.pattern}/${node.regex.flags}`, node.start);
      },
      TemplateElement(node) {
        // As browsers match the attribute (HTML, "the pattern attribute").
        for (const [, given = ''] of node.value.raw.matchAll(/\spattern="([^"]*)"/g))
          add(`/^(?:${given})$/u`, node.start);
      },
    });
    visitor.visit(parseSync(file, text).program);
  }
  return places;
}

/** What is wrong with a pattern, or undefined. */
async function faultOf(pattern: string): Promise<string | undefined> {
  process.env['RECHECK_BACKEND'] = 'pure'; // the same on every machine
  const { checkSync } = await import('recheck');
  const end = pattern.lastIndexOf('/');
  const found = checkSync(pattern.slice(1, end), pattern.slice(end + 1), { timeout: JUDGED_WITHIN_MS });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return `recheck cannot judge it (${found.error.kind})`;
  return `${found.complexity.summary}, e.g. for ${found.attack.pattern}`;
}

const places = patterns();
const before = readFileSync(SAFE, 'utf8');
const known = new Set(before.split('\n'));
const safe: string[] = [];
for (const [pattern, where] of places) {
  const fault = known.has(pattern) ? undefined : await faultOf(pattern);
  if (fault === undefined) safe.push(pattern);
  else console.error(`${where.join(', ')}: ${pattern}\n  ${fault}`);
}
const after = `${safe.toSorted().join('\n')}\n`;
if (after !== before) {
  writeFileSync(SAFE, after);
  console.error('test/guards/regular-expressions/safe.txt has been written anew, with those that are safe: commit it');
}
process.exitCode = safe.length < places.size || after !== before ? 1 : 0;
