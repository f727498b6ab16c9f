import { type Html, html } from '#lib/html.ts';
import { mayDo, type Role } from '#modules/operators';
import type { OperatorOperation, Parameter } from '../catalogue/operations.ts';
import { labelOf, valueInWords } from '../catalogue/words.ts';
import { sentence } from '../look/parts.ts';
import { momentTyped, typeOf } from '../reads/filter-form.ts';
import type { ConsoleVisitor } from '../session.ts';
import { all, type Fields, first, ITEMS, NULL_OF, nameOfMember } from './action-body.ts';

interface Given {
  fields: Fields;
  /** What was wrong, by the name of the field. */
  wrong: Readonly<Record<string, string>>;
  kind: string | undefined;
}

/** Texts that may be long, and are typed on several lines. */
const LONG = /(?:^|\.)(reason|comment|description|narration|address|text)$/;
/** The member by which an operation only says what it would do. Nobody ticks it: it is done first, always. */
const DRY_RUN = 'dryRun';
/** Whether an operation is asked first what it would do. */
export const countsFirst = ({ parameters }: OperatorOperation): boolean =>
  parameters.some(({ name }) => name === DRY_RUN);

/** What is chosen as a file rather than typed. */
const files: Readonly<Record<string, string>> = { importBankFile: 'content' };

/** The member of an operation's body that a form takes as a file. */
export const fileOf = ({ operationId }: OperatorOperation): string | undefined => files[operationId];

/** Whether a form asks for a member of a body: not for one that the role may not send, and not for how a file is encoded. */
export const asksFor = (
  { operator }: ConsoleVisitor,
  operation: OperatorOperation,
  { role, name }: Parameter,
): boolean =>
  (role === undefined || mayDo(operator.role, role as Role)) &&
  !(fileOf(operation) !== undefined && name === 'encoding') &&
  name !== DRY_RUN;

/** The fields of a form: those of one object stand together. */
export function fieldsOf(operation: OperatorOperation, members: readonly Parameter[], given: Given): Html {
  const groups = [...Map.groupBy(members, ({ name }) => (name.includes('.') ? (name.split('.')[0] ?? '') : ''))];
  const isLast = ({ name }: Parameter): boolean => name === 'reason';
  const [, own = []] = groups.find(([group]) => group === '') ?? [];
  const grouped = groups.filter(([group]) => group !== '');
  const show = (parameter: Parameter): Html => field(operation, parameter, given);
  return html`${own.filter((one) => !isLast(one)).map(show)}${grouped.map(
    ([group, inIt]) => html`<fieldset><legend>${labelOf(group)}</legend>${inIt.map(show)}</fieldset>`,
  )}${own.filter(isLast).map(show)}`;
}

function field(operation: OperatorOperation, parameter: Parameter, { fields, wrong, kind }: Given): Html {
  const { name, values, description, example, nullable } = parameter;
  const isRequired = parameter.required || (kind !== undefined && parameter.requiredOf?.includes(kind) === true);
  const id = `f-${name.replaceAll('.', '-')}`;
  const label = labelOf(name.split('.').at(-1) ?? name);
  const fault = wrong[name];
  const hint = hintOf(parameter, description, example);
  const describedBy = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-wrong`].filter(
    (one) => one !== false,
  );
  const attributes = html`${describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`}${fault !== undefined && html` aria-invalid="true"`}${isRequired && html` required autocomplete="off"`}`;
  const below = html`${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}${fault !== undefined && html`<p class="wrong" id="${id}-wrong"><bdi>${fault}</bdi></p>`}`;
  if (parameter.members !== undefined) return itemFields(operation, parameter, { fields, wrong, kind });
  if (parameter.kind === 'list' && values !== undefined) return boxes(parameter, label, all(fields[name]), below);
  const control = controlOf(operation, parameter, { id, value: first(fields[name]), attributes, isRequired });
  const takeAway =
    nullable === true &&
    html`<label class="choice"><input type="checkbox" name="${NULL_OF}${name}" value="yes"${first(fields[`${NULL_OF}${name}`]) !== '' && html` checked`}> Take away what is set</label>`;
  return html`<div class="field"><label for="${id}">${label}${!isRequired && html` <span class="must">(optional)</span>`}</label>${control}${below}${takeAway}</div>
`;
}

/** Items of a list that are objects, each with fields of its own. Nobody need fill in any of them. */
function itemFields(
  operation: OperatorOperation,
  { name: list, members = [], required }: Parameter,
  given: Given,
): Html {
  const items = Array.from({ length: ITEMS }, (_, at) => {
    const inIt = members.map((member): Parameter => {
      const isAsked = member.required && required && at === 0;
      return { ...member, in: 'body', name: nameOfMember(list, at, member.name), required: isAsked };
    });
    return html`<fieldset><legend>${labelOf(list)} ${at + 1}</legend>${inIt.map((one) => field(operation, one, given))}</fieldset>`;
  });
  return html`${items}`;
}

interface Control {
  id: string;
  value: string;
  attributes: Html;
  isRequired: boolean;
}

function controlOf(
  operation: OperatorOperation,
  parameter: Parameter,
  { id, value, attributes, isRequired }: Control,
): Html {
  const { name, kind, values, maxLength } = parameter;
  const length = maxLength !== undefined && html` maxlength="${maxLength}"`;
  if (fileOf(operation) === name) return html`<input type="file" id="${id}" name="${name}"${attributes}>`;
  if (values !== undefined || kind === 'boolean') {
    const options = (values ?? ['true', 'false']).map((one) =>
      option(one, values === undefined ? (one === 'true' ? 'yes' : 'no') : valueInWords(one), value),
    );
    return html`<select id="${id}" name="${name}"${attributes}>${(!isRequired || value === '') && html`<option value="">${isRequired ? 'choose' : '–'}</option>`}${options}</select>`;
  }
  if (kind === 'json' || kind === 'list') {
    return html`<textarea class="code" id="${id}" name="${name}" spellcheck="false"${attributes}>${value}</textarea>`;
  }
  if (LONG.test(name)) return html`<textarea id="${id}" name="${name}"${length}${attributes}>${value}</textarea>`;
  const shown = kind === 'moment' ? momentTyped(value) : value;
  return html`<input id="${id}" name="${name}" value="${shown}"${typeOf(parameter)}${length}${attributes}${!isRequired && html` autocomplete="off"`} spellcheck="false">`;
}

const option = (value: string, label: string, chosen: string): Html =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;

const boxes = ({ name, values = [] }: Parameter, label: string, chosen: readonly string[], below: Html): Html =>
  html`<fieldset class="boxes"><legend>${label}</legend>${values.map(
    (value) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && html` checked`}> ${labelOf(value)}</label>`,
  )}${below}</fieldset>
`;

/** What a field might hold, in words. */
export const exampleText = (example: unknown): string | undefined =>
  typeof example === 'string' || typeof example === 'number' ? `e.g. ${example}` : undefined;

function hintOf(
  { kind, items, values }: Parameter,
  description: string | undefined,
  example: unknown,
): string | undefined {
  const said = description?.replace(/^null: /, 'Taken away: ');
  const before = said === undefined ? '' : `${sentence(said)} `;
  if (kind === 'list' && values === undefined) return `${before}One on each line.`;
  if (kind === 'json') return `${before}JSON, e.g. {"colour": "red"}.`;
  if (kind === 'moment') return `${before}By the clock in Lagos.`;
  if (said === undefined && kind === 'id' && items === undefined) return 'An id, as its page shows it.';
  return said ?? (kind === 'day' ? exampleText(example) : undefined);
}
