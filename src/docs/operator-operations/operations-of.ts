import type { OperatorOperation } from '#wire/operator-operations.ts';
import { columnsOf } from './columns.ts';
import { commandOf } from './command-names.ts';
import { irreversible } from './irreversible.ts';
import { parametersOfBody, parametersOfUrl } from './parameters.ts';
import { type Described, type OperatorDocument, type Resolve, resolverOf, type Schema } from './schema.ts';

const BASE = '/operator/v1';

/** POSTs that change nothing: their input must not stand in a URL. */
const reads = new Set(['findCustomers', 'searchRecords']);

/** What is sent under no key, for its answer would be kept with it: all that is known of a person. */
const unkept = new Set(['exportCustomer']);

/** What the framework says of every operation, by what else the list says. */
const OF_EVERY_ONE =
  /Needs an operator’s token\. |Needs the role `\w+` or a higher one\. ?|Under an `Idempotency-Key` it may be sent again safely\. ?/g;

/** Members of a page that are shown otherwise, or not at all. */
const PAGE = new Set(['items', 'count', 'countIsExact', 'limit', 'offset', 'nextCursor']);

type Roles = Readonly<Record<string, string>>;

/**
 * The operations that the OpenAPI document of the operator API describes, as the command line and the console need them.
 *
 * @param permissions the least role of each, by method and path as the routes name them
 * @param memberPermissions that of members of a body
 */
export function operationsOf(
  document: OperatorDocument,
  permissions: Roles,
  memberPermissions: Readonly<Record<string, Roles>>,
): OperatorOperation[] {
  const resolve = resolverOf(document);
  return Object.entries(document.paths).flatMap(([url, operations]) =>
    Object.entries(operations).map(([method, described]) => {
      const path = url.replace(BASE, '');
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      const role = permissions[route];
      if (role === undefined) throw new Error(`no role is decided for ${route}`);
      const ofMembers = memberPermissions[route] ?? {};
      const operation = operationOf({ method: method.toUpperCase(), path, role }, described, resolve);
      const parameters = operation.parameters.map((one) => {
        const asked = one.in === 'body' ? ofMembers[one.name] : undefined;
        return asked === undefined ? one : { ...one, role: asked };
      });
      return { ...operation, parameters };
    }),
  );
}

/** The list as its file holds it: JSON, with a line for each member, parameter and column, so that a change shows as what it is. */
export function written(operations: readonly OperatorOperation[]): string {
  const line = (value: unknown): string => {
    if (!Array.isArray(value) || !value.some((item) => typeof item === 'object')) return JSON.stringify(value);
    return `[\n${value.map((item) => `      ${JSON.stringify(item)}`).join(',\n')}\n    ]`;
  };
  const blocks = operations.map((operation) => {
    const members = Object.entries(operation).map(([name, value]) => `    ${JSON.stringify(name)}: ${line(value)}`);
    return `  {\n${members.join(',\n')}\n  }`;
  });
  return `[\n${blocks.join(',\n')}\n]\n`;
}

function operationOf(
  { method, path, role }: { method: string; path: string; role: string },
  described: Described,
  resolve: Resolve,
): OperatorOperation {
  const { operationId = '', summary = '', responses, parameters = [] } = described;
  const response = responses['200'] ?? responses['201'];
  const answer = resolve(response?.content?.['application/json']?.schema ?? {});
  const items = itemsOf(answer, resolve);
  const members = Object.keys(answer.properties ?? {});
  const [noun = '', ...verb] = commandOf({ operationId, method, path, list: items !== undefined });
  const { parameters: ofBody, kinds } = parametersOfBody(described, resolve);
  const ofUrl = parametersOfUrl(path, described, resolve);
  const description = described.description?.replaceAll(OF_EVERY_ONE, '').trim() ?? '';
  const reason = irreversible[operationId];
  const columns = columnsOf(answer, resolve);
  return {
    operationId,
    method: method as OperatorOperation['method'],
    path,
    noun,
    verb: verb.join(' '),
    summary,
    ...(description === '' ? {} : { description }),
    role,
    parameters: [...ofUrl, ...ofBody],
    ...(kinds === undefined ? {} : { kinds }),
    changes: method !== 'GET' && !reads.has(operationId),
    ...(reason === undefined ? {} : { irreversible: reason }),
    idempotencyKey: !unkept.has(operationId) && parameters.some(({ name }) => name === 'idempotency-key'),
    waits: responses['202'] !== undefined,
    list: items !== undefined,
    cursor: ofUrl.some(({ name }) => name === 'cursor'),
    count: items !== undefined && members.includes('count'),
    csv: response?.content?.['text/csv'] !== undefined,
    columns: items === undefined ? columns : columnsOf(items, resolve),
    extras: items === undefined ? [] : columns.filter(({ name }) => !PAGE.has(name)),
  };
}

/** The items of a list's answer. */
function itemsOf(answer: Schema, resolve: Resolve): Schema | undefined {
  const items = answer.properties?.['items'];
  return items === undefined ? undefined : resolve(items).items;
}
