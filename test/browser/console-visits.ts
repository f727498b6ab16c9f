import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { type Role, roles } from '#modules/operators';
import type { TestApp } from '../support/app.ts';
import type { TestChromium } from '../support/chromium.ts';
import { newOperator, type TestOperator } from '../support/operators.ts';
import { DESK, press, shows, useVisits } from '../support/visits.ts';

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
