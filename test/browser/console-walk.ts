import { expect } from 'vitest';
import { mayDo, type Role } from '#modules/operators';
import { operatorOperations } from '#wire/operator-operations.ts';
import { designed } from '../../src/routes/console/pages/designed.ts';
import type { TestConsole } from '../http/console/console.ts';

type Operation = (typeof operatorOperations)[number];

/** Where the console begins an operation. */
const beginOf = ({ operationId, method, path }: Operation): string => {
  if (method !== 'GET') return `/console/actions/${operationId}`;
  return path.includes('{') ? `/console/open/${operationId}` : `/console${path}`;
};

const reads = operatorOperations.filter(({ method }) => method === 'GET');
const patternOf = ({ path }: Operation): RegExp => new RegExp(`^/console${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const readAt = (path: string): Operation | undefined => reads.find((operation) => patternOf(operation).test(path));
const linksIn = (page: string): string[] =>
  [...page.matchAll(/href="(\/console\/[^"?#]+)/g)].map(([, path = '']) => path);

/**
 * Every page at which a role may begin, by its address, and one of each kind of thing that these lead to: no link leads nowhere, and
 * no page that is designed is left out.
 *
 * @param typed things that somebody comes to by typing, not by a link
 */
export async function pagesOf(
  browser: TestConsole,
  role: Role,
  typed: readonly string[],
): Promise<Map<string, string>> {
  const mine = operatorOperations.filter((operation) => mayDo(role, operation.role as Role));
  const queue = ['/console', '/console/operations', ...mine.map(beginOf), ...typed];
  const pages = new Map<string, string>();
  const shown = new Set<string>();
  for (const path of queue) {
    if (pages.has(path)) continue;
    const answer = await browser.get(path);
    expect([path, answer.statusCode]).toEqual([path, 200]);
    pages.set(path, answer.body);
    const { operationId } = readAt(path) ?? {};
    if (operationId !== undefined) shown.add(operationId);
    for (const link of linksIn(answer.body)) {
      const there = readAt(link)?.operationId;
      if (there === undefined || shown.has(there)) continue;
      shown.add(there);
      queue.push(link);
    }
  }
  const designs = Object.keys(designed).filter((id) => mine.some(({ operationId }) => operationId === id));
  expect(designs.filter((operationId) => !shown.has(operationId))).toEqual([]);
  return pages;
}

/** What a page is made of, whatever it says: its elements, with how they look and what they are for. */
export const partsOf = (page: string): Set<string> =>
  new Set(
    page
      .match(/<[a-z]\w*(?: (?:class|type|role|aria-\w+|required|hidden|tabindex)(?:="[^"]*")?)*/g)
      ?.map((part) => part.replaceAll(/ (aria-(?:label|labelledby|describedby))="[^"]*"/g, ' $1')),
  );

/** Whether a read’s page is designed by hand. */
export const isDesigned = (path: string): boolean => Object.hasOwn(designed, readAt(path)?.operationId ?? '');
