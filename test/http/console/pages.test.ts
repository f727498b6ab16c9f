import { beforeAll, describe, expect, it } from 'vitest';
import { mayDo, type Role, roles } from '#modules/operators';
import { operatorOperations } from '#wire/operator-operations.ts';
import { nameOfMember } from '../../../src/routes/console/actions/action-body.ts';
import { useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { signedIn, type TestConsole, textOf } from './console.ts';

const server = useSharedApp();

const browsers = new Map<Role, TestConsole>();
beforeAll(async () => {
  for (const role of roles) browsers.set(role, await signedIn(server, (await newOperator(server, role)).token));
});
function as(role: Role): TestConsole {
  const browser = browsers.get(role);
  if (browser === undefined) throw new Error('nobody has this role');
  return browser;
}

/** Where the console begins an operation, as its page of all operations says. */
const addresses = (page: string): string[] =>
  [...page.matchAll(/<li><a href="([^"]+)">[^<]+<\/a>: /g)].map(([, address = '']) => address);

const addressOf = ({ operationId, method, path }: (typeof operatorOperations)[number]): string => {
  if (method !== 'GET') return `/console/actions/${operationId}`;
  return path.includes('{') ? `/console/open/${operationId}` : `/console${path}`;
};

describe('one list, and a page for each line of it', () => {
  it.each(roles)('a %s is offered each operation that their role may do, and no other', async (role) => {
    const mine = operatorOperations.filter((operation) => mayDo(role, operation.role as Role));
    const offered = addresses((await as(role).get('/console/operations')).body);
    expect(offered.toSorted()).toEqual(mine.map(addressOf).toSorted());
    expect(offered.length).toBeGreaterThan(30);
  });

  it.each(roles)('each page answers a %s, or says that their role may not', async (role) => {
    const outcomes = [];
    for (const operation of operatorOperations) {
      const answer = await as(role).get(addressOf(operation));
      const isRefused = answer.statusCode === 403 && textOf(answer).includes('Your role may not do this');
      outcomes.push([operation.operationId, answer.statusCode === 200 || (isRefused && 'refused'), !isRefused]);
    }
    const expected = operatorOperations.map((operation) => {
      const may = mayDo(role, operation.role as Role);
      return [operation.operationId, may ? true : 'refused', may];
    });
    expect(outcomes).toEqual(expected);
  });
});

/** The fields of a page's forms, by their names. */
const fieldsOn = (page: string): Set<string> =>
  new Set([...page.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name = '']) => name));

/** How a page is asked for; what the console asks by itself first, always; and how it sends a file. */
const NO_FIELDS = new Set(['limit', 'offset', 'cursor', 'format', 'dryRun', 'encoding']);

describe('what one face takes, the others take', () => {
  it('the console has a field for each parameter and member of each operation, also where its pages are designed by hand', async () => {
    const missing: string[] = [];
    for (const operation of operatorOperations) {
      const { operationId, path, kinds, list, parameters } = operation;
      if (operation.method === 'GET' && !list) continue;
      const base = operation.method === 'GET' && path.includes('{') ? undefined : addressOf(operation);
      if (base === undefined) continue; // what belongs to one thing is filtered on its page
      const pages = (kinds?.values ?? ['']).map((kind) => (kind === '' ? base : `${base}?${kinds?.by}=${kind}`));
      const answers = await Promise.all(pages.map(async (page) => (await as('admin').get(page)).body));
      const fields = new Set(answers.flatMap((page) => [...fieldsOn(page)]));
      for (const { name, in: place, members } of parameters) {
        if (place === 'path') continue; // what it is done to is chosen first
        const names = members === undefined ? [name] : members.map((member) => nameOfMember(name, 0, member.name));
        const lacking = names.filter((one) => !NO_FIELDS.has(one) && !fields.has(one));
        missing.push(...lacking.map((one) => `${operationId}: ${one}`));
      }
    }
    expect(missing).toEqual([]);
  });
});
