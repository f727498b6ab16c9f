import type { Members } from '../catalogue/things.ts';
import { listPage } from '../reads/list-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';
import { chosenOf } from './sections.ts';

/** The audit log, with what changed as one thing: of each member what it was, and what it is. */
export function auditPage(shown: Shown): PagePart {
  const items = (shown.answer['items'] as Members[]).map((entry) => ({ ...entry, changed: changedIn(entry) }));
  const columns = chosenOf(shown.operation.columns, ['at', 'actor', 'action', 'target', 'reason']);
  return listPage(
    { ...shown, answer: { ...shown.answer, items } },
    { columns: [...columns, { name: 'changed', kind: 'json' }] },
  );
}

function changedIn({ before, after }: Members): Members {
  const [was, is] = [Object(before) as Members, Object(after) as Members];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [one, other] = [textOf(was[name]), textOf(is[name])];
      if (one === other) return [];
      return [[name, one === undefined ? other : `${one} → ${other ?? '–'}`]];
    }),
  );
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
