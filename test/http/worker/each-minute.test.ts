import { expect, it } from 'vitest';
import { maintainEachMinute } from '../../../src/worker/each-minute.ts';
import { useApp } from '../../support/app.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';

const server = useApp();
const DAY_MS = 24 * 60 * 60 * 1000;

async function overdueSplit(): Promise<() => Promise<string>> {
  const terminal = await newTerminal(server, await server.newPartner());
  const expiresAt = new Date(server.clock.now().getTime() + DAY_MS).toISOString();
  const split = await newSplit(server, terminal, 10, { expiresAt });
  server.clock.advance(DAY_MS);
  const text = 'select status from terminals.split where reference = $1';
  return async () => (await server.owner.query(text, [split])).rows[0].status;
}

it('an overdue split is marked as expired', async () => {
  const status = await overdueSplit();
  await maintainEachMinute(server.resources);
  expect(await status()).toBe('Expired');
});

it('a worker that is about to end begins nothing of it', async () => {
  const status = await overdueSplit();
  await maintainEachMinute(server.resources, AbortSignal.abort());
  expect(await status()).not.toBe('Expired');
});
