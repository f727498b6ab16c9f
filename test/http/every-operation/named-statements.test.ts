import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { bounds } from './bounds.ts';
import { useCounting } from './count-statements.ts';
import { withoutName } from './statements-without-a-name.ts';
import { COUNTED_SETTINGS, useTypicalCalls } from './typical-calls.ts';

useCounting();
const server = useApp(COUNTED_SETTINGS);
const ask = useTypicalCalls(server);

const operations = Object.keys(bounds);

it('what may send statements without a name is an operation', () => {
  expect(Object.keys(withoutName).filter((operation) => !operations.includes(operation))).toEqual([]);
});

it.each(operations.filter((operation) => !(operation in withoutName)))(
  '%s prepares what it sends',
  async (operation) => {
    const { statements, unnamed } = await ask(operation);
    expect(unnamed, `of ${statements.length} statements`).toEqual([]);
  },
);

it.each(Object.keys(withoutName))('%s sends a statement without a name', async (operation) => {
  expect((await ask(operation)).unnamed).not.toEqual([]);
});
