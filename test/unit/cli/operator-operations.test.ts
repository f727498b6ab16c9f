import { expect, it } from 'vitest';
import { operatorOperations } from '#wire/operator-operations.ts';
import { IRREVERSIBLE_VERBS, irreversible, undoable } from '../../../src/docs/operator-operations/irreversible.ts';
import { permissions } from '../../../src/routes/operator/permissions.ts';

const ids = operatorOperations.map(({ operationId }) => operationId);
const commands = operatorOperations.map(({ noun, verb }) => `${noun} ${verb}`.trim());

it('the list has each operation that somebody may ask for, with its role, and no other', () => {
  const roles = operatorOperations.map(({ method, path, role }) => [
    `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    role,
  ]);
  const { 'GET /openapi.json': _document, ...operations } = permissions;
  expect(Object.fromEntries(roles)).toEqual(operations);
  expect(new Set(ids).size).toBe(ids.length);
});

it('each operation has a command of its own, in plain words, and none is the beginning of another', () => {
  expect(commands.filter((command) => !/^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)*$/.test(command))).toEqual([]);
  const among = (command: string) => commands.filter((other) => `${other} `.startsWith(`${command} `));
  expect(commands.filter((command) => among(command).length !== 1)).toEqual([]);
});

it('what looks as if it could not be undone is said to be so, with the reason, or not to be so', () => {
  const decided = [...Object.keys(irreversible), ...Object.keys(undoable)];
  expect(decided.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => IRREVERSIBLE_VERBS.test(id) && !decided.includes(id))).toEqual([]);
  expect(decided.filter((id) => id in irreversible && id in undoable)).toEqual([]);
});
