import { beforeAll, expect, it } from 'vitest';
import { mayDo, type Role, roles } from '#modules/operators';
import { operatorOperations } from '#wire/operator-operations.ts';
import { exampleOf } from '../../../src/cli/server/example.ts';
import { useSharedApp } from '../../support/app.ts';
import { commandLineOf } from '../../support/command-line.ts';
import { type Described, operationsOf, readDocument } from '../../support/described.ts';
import { requestOf } from '../../support/hostile.ts';
import { newOperator, type TestOperator } from '../../support/operators.ts';
import { encoded, hiddenIn, signedIn } from './console.ts';

const server = useSharedApp();
const PREFIX = '/operator/v1';
type Operation = (typeof operatorOperations)[number];

const operators: Partial<Record<Role, TestOperator>> = {};
const described = new Map<string, Described>();
beforeAll(async () => {
  for (const role of roles) operators[role] = await newOperator(server, role);
  for (const one of operationsOf(await readDocument(server, `${PREFIX}/openapi.json`))) {
    described.set(`${one.method} ${one.path}`, one);
  }
});

/** How often somebody was refused for their role, by a part of the log. */
const refusalsIn = (log: string, { id }: TestOperator): number =>
  log.split('\n').filter((line) => line.includes('"role_refused"') && line.includes(`operator:${id}`)).length;

const fileOf = ({ operationId }: Operation): string[] => (operationId === 'importBankFile' ? ['--file', '-'] : []);

it.each(roles.filter((role) => role !== 'admin'))(
  'what a %s may not do is refused by the API, the command line and the console, and each time on record',
  async (role) => {
    const operator = operators[role];
    if (operator === undefined) throw new Error('nobody has this role');
    const browser = await signedIn(server, operator.token);
    const { form = '' } = hiddenIn((await browser.get('/console')).body);
    const paytag = commandLineOf(server, operator.token);

    const faces = {
      async api(operation: Operation) {
        const one = described.get(`${operation.method} ${PREFIX}${operation.path}`);
        if (one === undefined) throw new Error(`${operation.operationId} is not described`);
        const { method, url, headers, payload } = requestOf(one, {
          headers: {},
          bearers: { operator: operator.token },
        });
        const answer = await server.call(method, url, { headers, ...(payload === undefined ? {} : { payload }) });
        return answer.statusCode === 403 && answer.body.includes('ROLE_REFUSED');
      },
      async command(operation: Operation) {
        const meant = operation.irreversible === undefined ? [] : ['--yes'];
        const given = [...exampleOf(operation), ...meant, ...fileOf(operation)];
        const { code, err } = await paytag(given, { stdin: 'x' });
        return code === 4 && err.includes('ROLE_REFUSED') && err.includes(`asks for the role ${operation.role}`);
      },
      async page({ operationId, method, path }: Operation) {
        const at = path.replaceAll(/\{\w+\}/g, 'something');
        const answer = await browser.get(method === 'GET' ? `/console${at}` : `/console/actions/${operationId}`);
        return answer.statusCode === 403 && answer.body.includes('ROLE_REFUSED');
      },
      async form({ operationId, path }: Operation) {
        const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [`path:${name}`, 'something']);
        const fields = { ...Object.fromEntries(parts), form, meant: 'yes', reason: 'a reason' };
        const headers = { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await server.call('POST', `/console/actions/${operationId}`, {
          headers,
          payload: encoded(fields),
        });
        return answer.statusCode === 403 && answer.body.includes('ROLE_REFUSED');
      },
    };

    const beyond = operatorOperations.filter((operation) => !mayDo(role, operation.role as Role));
    expect(beyond.length).toBeGreaterThan(10);
    const asked = beyond.flatMap((operation) =>
      Object.entries(faces).flatMap(([face, ask]) =>
        face === 'form' && operation.method === 'GET' ? [] : [{ operation, face, ask }],
      ),
    );
    const before = server.logged.length;
    const outcomes = [];
    for (const { operation, face, ask } of asked) {
      outcomes.push([operation.operationId, face, (await ask(operation)) ? 'refused' : 'not refused']);
    }
    expect(outcomes.filter(([, , outcome]) => outcome !== 'refused')).toEqual([]);
    expect(refusalsIn(server.logged.slice(before), operator)).toBe(asked.length);
  },
);
