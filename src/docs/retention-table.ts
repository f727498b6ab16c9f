import { variableNames } from '../config/settings.ts';
import { retention } from '../rooms.ts';

const VARIABLES: ReadonlySet<string> = new Set(variableNames);
const CAPITALS = /\b[A-Z]\w+\b/g;
const COMMANDS = /"(paytag [a-z ]+)"/g;

/** Every table of the database in a Markdown table: how long it is kept, and why. */
export const retentionTable = (): string =>
  [
    '| Table | Kept | Why |',
    '|---|---|---|',
    ...retention
      .toSorted((a, b) => (a.table < b.table ? -1 : 1))
      .map(({ table, kept, why }) => `| \`${table}\` | ${marked(kept)} | ${marked(why)} |`),
  ].join('\n');

const marked = (text: string): string =>
  text.replaceAll(CAPITALS, (word) => (VARIABLES.has(word) ? `\`${word}\`` : word)).replaceAll(COMMANDS, '`$1`');
