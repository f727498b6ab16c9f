import { type Html, html, pill } from '#lib/html.ts';
import type { Members } from '../catalogue/things.ts';
import { chosenOf, figures, section } from '../look/parts.ts';
import { factsOf, table } from '../look/table.ts';
import { moment } from '../look/values.ts';
import { headOfThing, itemPage } from '../reads/item-page.ts';
import { listPage } from '../reads/list-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';

type Source = 'ENVIRONMENT' | 'FILE' | 'GENERATED' | 'DEFAULT' | 'UNSET';

interface Setting {
  name: string;
  value?: string;
  isSecret: boolean;
  source: Source;
  unit?: string;
  subject: string;
  purpose: string;
}

const sources: Readonly<Record<string, { look: string; text: string }>> = {
  ENVIRONMENT: { look: 'good', text: 'Environment' },
  FILE: { look: 'good', text: 'File' },
  GENERATED: { look: 'good', text: 'Generated' },
  DEFAULT: { look: 'plain', text: 'Default' },
  UNSET: { look: 'plain', text: 'Not set' },
};

const isGiven = ({ source }: Setting): boolean => source !== 'DEFAULT' && source !== 'UNSET';

/** The process that answered: what it runs, and every variable by what it is about, those that somebody set first of all. */
export function settingsPage(shown: Shown): PagePart {
  const { answer, operation, visitor } = shown;
  const settings = answer['settings'] as Setting[];
  const given = settings.filter(isGiven);
  const { process, schema } = answer as {
    process: { version: string; environment: string; startedAt: string };
    schema: { applied: number; latest?: string };
  };
  const bySubject = [...Map.groupBy(settings, ({ subject }) => subject)];
  const title = 'Settings';
  const lead = 'What the process that answered runs with. Another process may have other values.';
  return {
    title,
    body: html`${headOfThing(shown, { title, lead })}
${figures([
  { label: 'Version', what: html`<bdi>${process.version}</bdi>` },
  { label: 'Environment', what: html`<bdi>${process.environment}</bdi>` },
  { label: 'Migrations applied', what: String(schema.applied), small: html`<bdi>${schema.latest}</bdi>` },
  { label: 'Set here', what: String(given.length), small: `of ${settings.length} variables`, address: '#set-here' },
])}
${factsOf(
  visitor,
  chosenOf(operation.columns, ['process.host', 'process.pid', 'process.role', 'process.node', 'schema.appliedBy']),
  answer,
)}
<p class="note">It runs since ${moment(process.startedAt)}. To change a value, change it at its source and restart the process.</p>
<ul class="ways" aria-label="Subjects">${bySubject.map(([subject]) => html`<li><a href="#${idOf(subject)}"><bdi>${subject}</bdi></a></li>`)}</ul>
<div id="set-here">${section('Set here', given.length === 0 ? html`<p class="note">Everything is as it is by default.</p>` : tableOf(shown, 'Set here', given))}</div>
${bySubject.map(([subject, ofIt]) => html`<div id="${idOf(subject)}">${section(html`<bdi>${subject}</bdi>`, tableOf(shown, subject, ofIt))}</div>`)}`,
  };
}

const idOf = (subject: string): string => subject.toLowerCase().replaceAll(/[^a-z]+/g, '-');

const tableOf = ({ visitor }: Shown, label: string, settings: readonly Setting[]): Html =>
  table(visitor, {
    label,
    items: settings as unknown as Readonly<Record<string, unknown>>[],
    columns: [
      { name: 'variable', kind: 'text', show: (one) => nameAndPurpose(one as unknown as Setting) },
      { name: 'value', kind: 'text', show: (one) => valueOf(one as unknown as Setting) },
      { name: 'from', kind: 'text', show: (one) => sourceOf(one as unknown as Setting) },
    ],
  });

const nameAndPurpose = ({ name, purpose }: Setting): Html =>
  html`<code class="whole">${name}</code><small class="beneath">${purpose.slice(0, 1).toUpperCase()}${purpose.slice(1)}</small>`;

function valueOf(setting: Setting): Html {
  const { value, isSecret, source, unit } = setting;
  if (source === 'UNSET') return html`–`;
  if (isSecret) return html`<span class="note">set, and not shown</span>`;
  const text = html`<code class="whole">${value}</code>`;
  return html`${isGiven(setting) ? html`<strong>${text}</strong>` : text}${unit !== undefined && html`<small class="beneath">${unit}</small>`}`;
}

const sourceOf = ({ source }: Setting): Html => {
  const { look, text } = sources[source] ?? { look: 'plain', text: source };
  return look === 'plain' ? html`<small>${text}</small>` : pill(look, text);
};

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

/** An operator by name, any other actor as recorded: `operator:<id> Ngozi`, `partner:<id>`, `system`. */
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

const NOT_CHECKED = 'Not everything has been checked yet: no whole check has ended.';

/** The page of a check of the books, and of what the last ones found. */
export function ledgerCheckPage(shown: Shown): PagePart {
  const { operation, answer, query } = shown;
  const isUnchecked = query['last'] === 'true' && answer['checkedAt'] === undefined;
  return itemPage(shown, { lead: isUnchecked ? NOT_CHECKED : operation.summary });
}
