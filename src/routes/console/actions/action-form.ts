import { type Html, html } from '#lib/html.ts';
import { exactValue } from '#lib/minor-units.ts';
import { mayDo, type Role } from '#modules/operators';
import { type OperatorOperation, type Parameter, parametersIn } from '../catalogue/operations.ts';
import { labelOf, valueInWords } from '../catalogue/words.ts';
import { sentence } from '../look/parts.ts';
import { momentAsked, momentTyped, typeOf } from '../reads/filter-form.ts';
import type { ConsoleVisitor } from '../session.ts';

interface Given {
  fields: Fields;
  /** What was wrong, by the name of the field. */
  wrong: Readonly<Record<string, string>>;
  kind: string | undefined;
}

/** Texts that may be long, and are typed on several lines. */
const LONG = /(?:^|\.)(reason|comment|description|narration|address|text)$/;

/** The member that makes an operation a dry run. No form shows it: such an operation always runs dry first. */
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

/** Items of a list that are objects, each with its own fields, all optional. */
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

/** What stood in a form, by the names of its fields; several where a name stood there several times. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

const WITH_COMMAS = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;

/** Before the name of a field: the box that takes away what is there. */
const NULL_OF = 'null:';

export const first = (value: Fields[string]): string => (typeof value === 'string' ? value : (value?.[0] ?? ''));

const all = (value: Fields[string]): readonly string[] => (typeof value === 'string' ? [value] : (value ?? []));

/** The members of an operation’s body that a form of this kind has. */
export function membersOf(operation: OperatorOperation, kind: string | undefined): Parameter[] {
  const members = parametersIn(operation, 'body').filter(({ name }) => name !== operation.kinds?.by);
  return members.filter(({ of }) => of === undefined || (kind !== undefined && of.includes(kind)));
}

/** Which of its kinds a body is of: the one that was chosen, or else the first. */
export const kindOf = ({ kinds }: OperatorOperation, chosen: string): string | undefined =>
  kinds === undefined ? undefined : kinds.values.includes(chosen) ? chosen : kinds.values[0];

/**
 * The body that a form stands for. What is left empty is left out; what is not the number or the JSON that it should be goes as
 * the text that it is, so that the API says what is wrong with it.
 */
export function bodyOf(operation: OperatorOperation, kind: string | undefined, fields: Fields): object {
  const body: Record<string, unknown> = {};
  if (operation.kinds !== undefined) body[operation.kinds.by] = kind;
  for (const parameter of membersOf(operation, kind)) {
    const value =
      parameter.members !== undefined
        ? itemsOf(parameter, fields)
        : parameter.nullable === true && first(fields[`${NULL_OF}${parameter.name}`]) !== ''
          ? null
          : valueOf(parameter, fields[parameter.name]);
    if (value !== undefined) put(body, parameter.name.split('.'), value);
  }
  return body;
}

/** Fields for the items of a list that are objects: as many as most need, and one by one more can be added where there is an operation for it. */
export const ITEMS = 3;

/** What the member of an item is called in a form, and in what the API says of it. */
export const nameOfMember = (list: string, at: number, member: string): string => `${list}.${at}.${member}`;

/** The items of a list that are objects: those of which anything was typed. */
function itemsOf({ name: list, members = [] }: Parameter, fields: Fields): object[] | undefined {
  const items = Array.from({ length: ITEMS }, (_, at) =>
    Object.fromEntries(
      members.flatMap((member) => {
        const value = valueOf(member, fields[nameOfMember(list, at, member.name)]);
        return value === undefined ? [] : [[member.name, value]];
      }),
    ),
  ).filter((item) => Object.keys(item).length > 0);
  return items.length === 0 ? undefined : items;
}

function put(body: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) body[name] = value;
  else put((body[name] ??= {}) as Record<string, unknown>, rest, value);
}

function valueOf({ kind, items }: Pick<Parameter, 'kind' | 'items'>, given: Fields[string]): unknown {
  if (kind === 'list') {
    const values = all(given)
      .flatMap((text) => text.split(/[\n,]/))
      .map((text) => text.trim());
    const kept = values.filter((text) => text !== '');
    return kept.length === 0 ? undefined : kept.map((text) => (items === 'integer' ? numberIn(text) : text));
  }
  const text = first(given);
  if (text.trim() === '') return undefined;
  switch (kind) {
    case 'money':
    case 'integer':
      return numberIn(text.trim());
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'moment':
      return momentAsked(text.trim());
    case 'json':
      return jsonIn(text);
    default:
      return text;
  }
}

/** A number that is written as one, also with commas between its thousands. One that a number of JavaScript cannot be stays text. */
function numberIn(text: string): number | string {
  const plain = WITH_COMMAS.test(text) ? text.replaceAll(',', '') : text;
  if (!PLAIN_NUMBER.test(plain)) return text;
  const value = Number(plain);
  return exactValue(String(value)) === exactValue(plain) ? value : text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
