import type { Role } from '#modules/operators';
import { type OperatorOperation, operatorOperations, type Parameter } from '#wire/operator-operations.ts';

export type { Column, OperatorOperation, Parameter } from '#wire/operator-operations.ts';

const byId = new Map(operatorOperations.map((operation) => [operation.operationId, operation]));

/** Every operation of the operator API. */
export const allOperations: readonly OperatorOperation[] = operatorOperations;

/** What only shows something, and has an address of its own. */
export const reads: readonly OperatorOperation[] = operatorOperations.filter(({ method }) => method === 'GET');

/** Operations that need a form: they change something, or their query must not appear in an address. */
export const actions: readonly OperatorOperation[] = operatorOperations.filter(({ method }) => method !== 'GET');

/** The operation of this name, where there is one. */
export const operationNamed = (operationId: string): OperatorOperation | undefined => byId.get(operationId);

/** The least role that an operation asks for. */
export const roleOf = ({ role }: OperatorOperation): Role => role as Role;

export const parametersIn = ({ parameters }: OperatorOperation, part: Parameter['in']): Parameter[] =>
  parameters.filter((one) => one.in === part);

const partsOf = (path: string): string[] => path.split('/').slice(1);
const isParameter = (part: string | undefined): boolean => part?.startsWith('{') === true;

/** The page of one thing of a list: `/partners/{id}` for `/partners`. */
export function itemOf({ path }: Pick<OperatorOperation, 'path'>): OperatorOperation | undefined {
  const length = partsOf(path).length + 1;
  return reads.find((one) => {
    const parts = partsOf(one.path);
    return parts.length === length && isParameter(parts.at(-1)) && one.path.startsWith(`${path}/`);
  });
}

/** The read whose page shows what an action is done to, or added to: the one with the longest path that the action's begins with. */
export function homeOf({ path, method }: OperatorOperation): OperatorOperation | undefined {
  const longestFirst = reads.toSorted((one, other) => other.path.length - one.path.length);
  const isSelf = method === 'GET' ? path : undefined;
  // A list below a thing stands on the thing's page, and what is done to one of it is said there.
  const isHome = (one: OperatorOperation) => method === 'GET' || !one.list || namesIn(one.path).length === 0;
  return longestFirst.find(
    (one) => isHome(one) && one.path !== isSelf && (path === one.path || path.startsWith(`${one.path}/`)),
  );
}

/** The names of a path's parameters, in order. */
export const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/**
 * A path with its parameters filled in; undefined when one is missing, or would be read as a step up the path.
 */
export function filled(path: string, values: Readonly<Record<string, string | undefined>>): string | undefined {
  const missing = namesIn(path).some((name) => {
    const value = values[name] ?? '';
    return value === '' || /^\.+$/.test(value);
  });
  return missing
    ? undefined
    : path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** A path as the router has it: `/partners/:id`. */
export const asRoute = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
