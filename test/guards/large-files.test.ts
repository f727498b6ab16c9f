import { setImmediate as nextTurn } from 'node:timers/promises';
import { GCProfiler } from 'node:v8';
import { beforeAll, expect, it } from 'vitest';
import { type Answer, useApp } from '../support/app.ts';
import { type FileLine, type Format, importOf } from '../support/bank-files.ts';

const server = useApp();
const MIB = 1024 * 1024;
const HEADER = 'Date,Details,Ref,Debit,Credit,Balance\n';
const url = '/operator/v1/reconciliation/imports';

/** Shorter turns do not count, in milliseconds. */
const SHORT_MS = 5;
/** A turn costs at most as many times what the server needs for a body as large, which it has to take in one piece. */
const BODY_TURNS_MAX = 4;
let turnMax = 0;
beforeAll(async () => {
  turnMax = BODY_TURNS_MAX * (await bodyTurn());
});

/** The longest turn of the event loop meanwhile, in milliseconds of this thread's processor time without the garbage collector's. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [isDone, longest] = [false, 0];
  let collector = watchCollector();
  let before = process.threadCpuUsage();
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > SHORT_MS * 1_000) {
      const collected = collector.stop().statistics.reduce((sum, { cost }) => sum + cost, 0);
      longest = Math.max(longest, (user + system - collected) / 1_000);
      collector = watchCollector();
    }
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  await nextTurn();
  isDone = true;
  return longest;
}

function watchCollector(): GCProfiler {
  const collector = new GCProfiler();
  collector.start();
  return collector;
}

async function post(payload: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.resources.operatorToken}`, 'content-type': 'application/json' };
  return server.call('POST', url, { headers, payload });
}

/** What the server's turn with such a body costs when it refuses it without reading the file: neither the dearest nor the cheapest try. */
async function bodyTurn(): Promise<number> {
  const payload = payloadOf('BANK', 'CSV', linesOf(16_000)).replace('"encoding":"base64"', '"encoding":"base63"');
  const turns: number[] = [];
  for (let nth = 0; nth < 9; nth += 1) {
    turns.push(await longestTurn(async () => expect((await post(payload)).statusCode).toBe(400)));
  }
  return turns.toSorted((a, b) => a - b)[4] ?? 0;
}

/** Tries until no turn is longer than it may be, each payload once. */
async function expectTurnsFor(payloads: string[], assertAnswer: (answer: Answer) => void): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (const payload of payloads) {
    least = Math.min(least, await longestTurn(async () => assertAnswer(await post(payload))));
    if (least < turnMax) break;
  }
  expect(least).toBeLessThan(turnMax);
}

const payloadOf = (rail: string, format: Format, lines: FileLine[], text?: string): string => {
  const { content, ...body } = importOf(rail, format, lines);
  const encoded = Buffer.from(text ?? content).toString('base64');
  expect(encoded.length).toBeGreaterThan(7 * MIB);
  return JSON.stringify({ ...body, content: encoded, encoding: 'base64' });
};

const linesOf = (count: number, file = 0): FileLine[] =>
  Array.from({ length: count }, (_, at) => {
    const narration = `TRANSFER FROM SHOP ${at} ${'FOR GOODS OF NOVEMBER '.repeat(15)}`;
    return { day: '2026-11-20', amount: BigInt(100 + at), reference: `NIP${file}${100_000 + at}`, narration };
  });

it.each<[Format, number, string]>([
  ['CSV', 16_000, 'TERMINAL'],
  ['MT940', 16_000, 'GATEWAY'],
  ['CAMT.053', 11_000, 'BANK'],
])('a file of %s with %i lines lets others have their turn', async (format, count, rail) => {
  const payloads = [0, 1].map((file) => payloadOf(rail, format, linesOf(count, file)));
  await expectTurnsFor(payloads, (answer) => expect(answer.statusCode).toBe(201));
});

it.each([
  ['a row of delimiters', HEADER + ','.repeat(8 * MIB)],
  ['rows of one letter', HEADER + 'x\n'.repeat(4 * MIB)],
  ['a quotation mark that is never closed', `${HEADER}"${'x\n'.repeat(4 * MIB)}`],
  ['empty lines', HEADER + '\n'.repeat(8 * MIB)],
])('a CSV of 8 MiB that is %s lets others have their turn, and is refused', async (_, content) => {
  const payload = payloadOf('BANK', 'CSV', linesOf(1), content);
  await expectTurnsFor(Array(4).fill(payload), (answer) => {
    expect([answer.statusCode, answer.json<{ errorCode: string }>().errorCode]).toEqual([400, 'BANK_FILE_UNREADABLE']);
  });
});
