import { testValuesTable } from '../providers/simulators.ts';
import { commandTables } from './command-table.ts';
import { configurationTables } from './configuration-table.ts';
import { callersErrorTables, operatorsErrorTables } from './error-tables.ts';
import { partnerEventPages, switchEventPages } from './event-pages.ts';
import { metricTables } from './metric-tables.ts';
import { retentionTable } from './retention-table.ts';

/** The pages of this folder that hold tables made from the code. */
export const generated: Readonly<Record<string, { name: string; tables: () => string }>> = {
  'command-line.md': { name: 'commands', tables: commandTables },
  'configuration.md': { name: 'configuration', tables: configurationTables },
  'errors.md': { name: 'errors', tables: callersErrorTables },
  'observe.md': { name: 'metrics', tables: metricTables },
  'operator-errors.md': { name: 'errors', tables: operatorsErrorTables },
  'partner-events.md': { name: 'events', tables: partnerEventPages },
  'retention.md': { name: 'retention', tables: retentionTable },
  'sandbox.md': { name: 'values', tables: () => testValuesTable },
  'switch-events.md': { name: 'events', tables: switchEventPages },
};

/**
 * A page with its tables rewritten, between the two comments that name them.
 *
 * @throws Error when the page has no such comments
 */
export function withTables(page: string, { name, tables }: { name: string; tables: () => string }): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${begin} … ${end}`);
  return `${before}${begin}\n\n${tables()}\n\n${end}${after}`;
}
