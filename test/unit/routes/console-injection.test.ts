import { describe, expect, it } from 'vitest';
import { type Column, type OperatorOperation, operatorOperations } from '#wire/operator-operations.ts';
import { actionPage } from '../../../src/routes/console/actions/action-page.ts';
import { answerPage } from '../../../src/routes/console/actions/do-action.ts';
import { doneNotice, doneOf } from '../../../src/routes/console/actions/done.ts';
import { sentences, whatWillHappen } from '../../../src/routes/console/pages/approval.ts';
import { filterForm } from '../../../src/routes/console/reads/filter-form.ts';
import { itemPage } from '../../../src/routes/console/reads/item-page.ts';
import { listPage } from '../../../src/routes/console/reads/list-page.ts';
import { customPages } from '../../../src/routes/console/reads/read-page.ts';
import type { Shown } from '../../../src/routes/console/reads/shown.ts';

const MARK = '\u202E';
/** What somebody may have written wherever a text is kept: markup, quotes of each kind, a letter that turns what follows, an address. */
const hostile = [
  `${MARK}"'><img src=x onerror=alert(1)><script>alert(1)</script>&lt;b&gt;`,
  `javascript:alert(1)//${MARK}`,
  `' onfocus='alert(1)' autofocus x='${MARK}`,
] as const;

const visitor = {
  session: 'session',
  operator: { id: 'somebody', name: hostile[0], role: 'admin', actor: 'operator:somebody' },
  seal: 'seal',
  may: () => true,
  names: new Map(hostile.map((text) => [text, text])),
  now: new Date('2026-01-31T08:00:00.000Z'),
} as unknown as Shown['visitor'];

/** An answer in which every text is hostile, by what the operation says that it answers. */
function answerOf(columns: readonly Column[], text: string): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  for (const { name, ...column } of columns) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    const within = parts.reduce<Record<string, unknown>>(
      (at, part) => (at[part] ??= {}) as Record<string, unknown>,
      answer,
    );
    within[last] = valueOf(column, text);
  }
  return answer;
}

function valueOf({ kind, columns }: Omit<Column, 'name'>, text: string): unknown {
  switch (kind) {
    case 'money':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'moment':
      return '2026-01-31T08:00:00.000Z';
    case 'day':
      return '2026-01-31';
    case 'json':
      return { [text]: { [text]: text } };
    case 'list':
      return columns === undefined ? [text] : [answerOf(columns, text), answerOf(columns, text)];
    default:
      return text;
  }
}

const wholeAnswer = ({ list, columns, extras }: OperatorOperation, text: string) =>
  list
    ? {
        items: [answerOf(columns, text), answerOf(columns, text)],
        count: 2,
        nextCursor: text,
        ...answerOf(extras, text),
      }
    : answerOf(columns, text);

const TAG = /<(\/?)([a-z][a-z\d]*)((?:\s[a-z][\w:-]*(?:="[^"<>]*")?)*)\s*\/?>/gi;
/** What keeps a turned text from turning what stands around it. */
const KEEPS = new Set(['bdi', 'code', 'dd', 'li', 'option', 'pre', 'small', 'textarea', 'td', 'title']);
const EMPTY = new Set(['input', 'path', 'rect', 'line', 'br', 'img']);

/** What a browser would take for more than text. */
function faultsIn(page: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  let end = 0;
  for (const match of page.matchAll(TAG)) {
    const [tag, slash, name = '', attributes = ''] = match;
    faults.push(...faultsInText(page.slice(end, match.index), open));
    end = match.index + tag.length;
    if (slash === '/') open.splice(open.lastIndexOf(name));
    else if (!EMPTY.has(name)) open.push(name);
    if (['script', 'img', 'iframe', 'object', 'style'].includes(name)) faults.push(`an element: ${tag}`);
    for (const [, attribute = '', value = ''] of attributes.matchAll(/\s([\w:-]+)(?:="([^"]*)")?/g)) {
      if (attribute.startsWith('on') || attribute === 'autofocus') faults.push(`an attribute: ${attribute}`);
      if (attribute === 'href' && !/^(\/console|#)/.test(value)) faults.push(`an address: ${value}`);
      if (attribute === 'action' && !value.startsWith('/console')) faults.push(`a form to: ${value}`);
    }
  }
  return [...faults, ...faultsInText(page.slice(end), open)];
}

function faultsInText(text: string, open: readonly string[]): string[] {
  const isLoose = text.includes(MARK) && !open.some((name) => KEEPS.has(name));
  return [...(/[<>]/.test(text) ? [`markup: ${text}`] : []), ...(isLoose ? [`it turns what follows: ${text}`] : [])];
}

it('a fault is found where there is one', () => {
  expect(faultsIn(`<p>${MARK}turned</p>`).length).toBe(1);
  for (const wrong of ['<p><script>x</script></p>', '<a href="javascript:x">y</a>', '<a onclick="x">y</a>', 'a < b']) {
    expect([wrong, faultsIn(wrong).length > 0]).toEqual([wrong, true]);
  }
});

describe.each(hostile)('what others wrote (%#) stays text', (text) => {
  const reads = operatorOperations.filter(({ method }) => method === 'GET');
  const actions = operatorOperations.filter(({ method }) => method !== 'GET');
  const shownOf = (operation: OperatorOperation): Shown => ({
    visitor,
    operation,
    path: operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(text)),
    query: Object.fromEntries(operation.parameters.filter((one) => one.in === 'query').map(({ name }) => [name, text])),
    known: Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, text])),
    answer: wholeAnswer(operation, text),
    done: { title: 'Partner suspended', facts: [{ name: 'reason', kind: 'text', value: text }] },
    ask: async (operationId) => {
      const asked = operatorOperations.find((one) => one.operationId === operationId);
      return asked && wholeAnswer(asked, text);
    },
  });

  it('on the page of each thing and each list, as it is customPages and as it is made', async () => {
    for (const operation of reads) {
      const shown = shownOf(operation);
      const page = await (customPages[operation.operationId] ?? itemPage)(shown);
      const made = operation.list ? listPage(shown) : itemPage(shown);
      const form = filterForm(operation, operation.path, shown.query);
      const faults = [page.body, made.body, form].map(({ text: markup }) => faultsIn(markup));
      expect([operation.operationId, ...faults]).toEqual([operation.operationId, [], [], []]);
    }
  });

  it('in each form, when it is refused, counted and done', () => {
    for (const operation of actions) {
      const typed = operation.parameters.map(({ name, in: place }) => [place === 'path' ? `path:${name}` : name, text]);
      const fields = Object.fromEntries(typed) as Record<string, string>;
      const errors = operation.parameters.map(({ name }) => `${name}: ${text}`);
      const refused = { status: 400, headers: {}, text: '', body: { message: text, errorCode: text, errors } };
      const counted = { answer: wholeAnswer(operation, text), of: text };
      const answer = { status: 200, headers: {}, text: '', body: wholeAnswer(operation, text) };
      const done = doneOf(operation, { given: fields, answer });
      const pages = [
        actionPage(visitor, { operation, fields, refused }).body,
        actionPage(visitor, { operation, fields, counted, objection: 'Nothing was done.' }).body,
        answerPage(visitor, operation, { answer, known: {}, done }).body,
        doneNotice(done, text),
      ];
      const faults = pages.map(({ text: markup }) => faultsIn(markup));
      expect([operation.operationId, ...faults]).toEqual([operation.operationId, [], [], [], []]);
    }
  });

  it('in what will happen when a request is approved', () => {
    for (const operation of operatorOperations.filter(({ operationId }) => operationId in sentences)) {
      const body = Object.fromEntries(operation.parameters.map(({ name }) => [name, text]));
      const approval = {
        operation: `${operation.method} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        requestedBy: { id: text, name: text },
        request: { params: body, body: { ...body, ids: [text], fields: [text] } },
      };
      expect([operation.operationId, faultsIn(whatWillHappen(visitor, approval).text)]).toEqual([
        operation.operationId,
        [],
      ]);
    }
  });
});

it('whatever can wait for another operator is told in a sentence of its own', () => {
  const waiting = operatorOperations.filter(({ waits }) => waits).map(({ operationId }) => operationId);
  expect(waiting.filter((operationId) => sentences[operationId] === undefined)).toEqual([]);
  expect(Object.keys(sentences).filter((operationId) => !waiting.includes(operationId))).toEqual([]);
});
