import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { mayDo, type Role, roles } from '#modules/operators';
import { operatorOperations } from '#wire/operator-operations.ts';
import { customPages } from '../../src/routes/console/reads/read-page.ts';
import type { TestConsole } from '../http/console/console.ts';
import type { TestApp } from '../support/app.ts';
import { DESK, press, shows, type TestChromium, useVisits } from '../support/chromium.ts';
import { newOperator, type TestOperator } from '../support/operators.ts';

/** Has somebody of each role, who signs in at the console with a browser. */
export function useConsoleVisits(server: TestApp, chromium: TestChromium) {
  const visits = useVisits(server, chromium);
  const operators = new Map<Role, TestOperator>();
  beforeAll(async () => {
    for (const role of roles) operators.set(role, await newOperator(server, role));
  });

  const operator = (role: Role): TestOperator => {
    const found = operators.get(role);
    if (found === undefined) throw new Error('operators are made in beforeAll');
    return found;
  };

  /** Visits the console at a desk as somebody of a role, who has signed in. The browser asks nobody else, and complains of nothing. */
  const signedIn = (role: Role, act: (page: Page) => Promise<void>, look: BrowserContextOptions = {}) =>
    visits.visiting(
      '/console',
      async ({ page, complaints, requests }) => {
        await shows(page, 'Sign in');
        await page.getByLabel('Token').fill(operator(role).token);
        await press(page, 'Sign in');
        await shows(page, 'Overview');
        await act(page);
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => !url.startsWith(visits.origin))).toEqual([]);
      },
      { viewport: DESK, ...look },
    );

  return {
    operator,
    signedIn,
    /** Goes to a page of the console by its address. */
    open: (page: Page, path: string) => page.goto(`${visits.origin}/console${path}`),
  };
}

/** Follows a link by its words, the first where there are several. */
export async function follow(page: Page, link: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: link, exact: true }).first().click()]);
}

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
 * no page that is customPages is left out.
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
  const designs = Object.keys(customPages).filter((id) => mine.some(({ operationId }) => operationId === id));
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

/** Whether a read’s page is customPages by hand. */
export const isDesigned = (path: string): boolean => Object.hasOwn(customPages, readAt(path)?.operationId ?? '');
