import { type Html, html } from '#lib/html.ts';
import type { Members } from '../catalogue/things.ts';
import { listPage } from '../reads/list-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';
import { chosenOf } from './sections.ts';

/** The audit log, with what changed as one thing: of each member what it was, and what it is. */
export function auditPage(shown: Shown): PagePart {
  const items = (shown.answer['items'] as Members[]).map((entry) => ({ ...entry, changed: changedIn(entry) }));
  const columns = (...names: string[]) => chosenOf(shown.operation.columns, names);
  return listPage(
    { ...shown, answer: { ...shown.answer, items } },
    {
      columns: [
        ...columns('at'),
        { name: 'actor', kind: 'text', show: ({ actor }) => whoActed(String(actor)) },
        ...columns('action', 'target', 'reason'),
        { name: 'changed', kind: 'json' },
      ],
    },
  );
}

/** An operator by their name, whoever else it was as it is written: `operator:<id> Ngozi`, `partner:<id>`, `system`. */
function whoActed(actor: string): Html {
  const [, called] = /^operator:\S+ (.+)$/s.exec(actor) ?? [];
  return called === undefined
    ? html`<bdi>${actor.replace(/^operator:/, '')}</bdi>`
    : html`<bdi title="${actor}">${called}</bdi>`;
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
