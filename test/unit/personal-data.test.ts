import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentAt } from '../support/documents.ts';

/** The columns of each table, by its name. */
const tables = new Map(
  [...readFileSync('migrations/schema.sql', 'utf8').matchAll(/^CREATE TABLE (\S+) \(\n(.*?)^\)/gms)].map(
    ([, name = '', body = '']) => [name, [...body.matchAll(/^ {4}([a-z]\w*) /gm)].map(([, column = '']) => column)],
  ),
);

const { text } = documentAt('src/docs/personal-data.md');
const [record = '', rest = ''] = text.split(/^## Tables without a person$/m);
const lines = [...record.matchAll(/^\| `(\w+\.\w+)` \|(.+)\|$/gm)].map(([, name = '', cells = '']) => ({
  name,
  cells: cells.split('|').map((cell) => cell.trim()),
}));
const recorded = lines.map(({ name }) => name);
const withoutAPerson = [...rest.matchAll(/`(\w+\.\w+)`/g)].map(([, name = '']) => name);

/** Columns that say who somebody is, or whose something is. */
const isOfAPerson = (column: string) =>
  /_sealed$|^customer_id$|(^|_)(name|phone|e?mail|address|bvn|date_of_birth|handle|paytag)(_|$)/.test(column);

describe('the record of personal data', () => {
  test('has a line for every table with a sealed column, a customer, or a name or contact of somebody', () => {
    expect(tables.size).toBeGreaterThan(40);
    const personal = [...tables].filter(([, columns]) => columns.some(isOfAPerson)).map(([name]) => name);
    expect(personal).toEqual(expect.arrayContaining(['customers.customer', 'payments.payment', 'sessions.session']));
    expect(personal.filter((name) => !recorded.includes(name))).toEqual([]);
  });

  test('names every table once, with or without a person, and none that is not there', () => {
    expect([...recorded, ...withoutAPerson].toSorted()).toEqual([...tables.keys()].toSorted());
  });

  test('says of each what, why, how long, who sees it, and what an export and an erasure do', () => {
    const unsaid = lines.filter(({ cells }) => cells.length !== 6 || cells.includes(''));
    expect(unsaid.map(({ name }) => name)).toEqual([]);
  });
});
