import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { pageCount, writePdf } from '../../src/modules/statements/write-pdf.ts';
import { writeXlsx } from '../../src/modules/statements/write-xlsx.ts';
import { useApp } from '../support/app.ts';
import { repetitions } from '../support/cases.ts';
import { postingBetween } from '../support/post.ts';
import { readPdf, statementOf } from '../support/statements.ts';
import { loggedIn } from '../support/wallets.ts';

const LINES = repetitions({ short: 2_000, soak: 10_000 });
const PAGES = pageCount(LINES);
/** Of a shop: more than twenty-five a day, or fifty. */
const YEAR = repetitions({ short: 10_000, soak: 20_000 });
const server = useApp();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
/** Bytes that are still reachable, on the heap and beside it. */
function memory(): number {
  for (let round = 0; round < 2; round++) collectGarbage(); // what lies beside the heap goes a round later
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A customer's wallet into which 1.00 came thousands of times; resolves to the headers of her calls. */
async function busyCustomer(): Promise<Record<string, string>> {
  const partner = await server.newPartner({ float: LINES });
  const { headers, wallet } = await loggedIn(server, partner);
  const { owner: pool } = server;
  const accounts = await pool.query(
    `select (select id from ledger.account where kind = 'WALLET' and reference = $1) as wallet,
            (select id from ledger.account where kind = 'FLOAT' and reference = $2 and currency = 'NGN') as float`,
    [wallet, partner.id],
  );
  const [own, float] = [Number(accounts.rows[0].wallet), Number(accounts.rows[0].float)];
  const posting = (index: number) => ({
    ...postingBetween(float, own, 100n, { owner: partner.id, partner: partner.id, reference: `ref-${index}-` }),
    comment: `for the ${index}th time, a long and winding story of what it was for`,
    requestHash: 'aa',
    mac: 'aa',
  });
  const asText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  for (let first = 0; first < LINES; first += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, index) => posting(first + index));
    await pool.query('select count(*) from ledger.post($1::jsonb, $2)', [
      JSON.stringify(batch, asText),
      server.clock.now(),
    ]);
  }
  return headers;
}

describe('a statement of thousands of lines', () => {
  let origin = '';
  beforeAll(async () => {
    origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  });

  it('is whole, and other requests are answered all the while it is written', async () => {
    const headers = await busyCustomer();
    const asked = await server.call('POST', '/v2/sso/transaction/statement', { headers });
    const link = new URL(asked.json<{ url: string }>().url).pathname;
    const ended = new AbortController();
    const document = fetch(origin + link)
      .then(async (answer) => Buffer.from(await answer.arrayBuffer()))
      .finally(() => ended.abort());
    let answered = 0;
    while (!ended.signal.aborted) {
      expect((await fetch(`${origin}/health/live`)).status).toBe(200);
      answered += 1;
    }
    expect(answered).toBeGreaterThan(20);

    const { pages } = await readPdf(await document);
    expect(pages).toHaveLength(PAGES);
    const references = [...pages.join(' ').matchAll(/ref-(\d+)-/g)].map(([, number]) => Number(number));
    expect(references).toEqual(Array.from({ length: LINES }, (_, index) => index));
    const total = `${LINES.toLocaleString('en')}.00`;
    expect(pages.at(-1)).toContain(`Closing balance 0.00 ${total} ${total}`);
  });

  const moves = Array.from({ length: LINES }, (_, index) => ({ amount: BigInt(index + 1), comment: `story ${index}` }));

  it('is read no faster than it is taken', async () => {
    const { pages, ...statement } = statementOf(moves);
    let read = 0;
    async function* counted() {
      for await (const lines of pages) {
        read += lines.length;
        yield lines;
      }
    }
    const parts = writePdf({ ...statement, pages: counted() });
    await parts.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(read).toBe(250);
    await parts.return(undefined);
  });

  it('is written as it goes, and what is kept in memory is less than what was written', async () => {
    const statement = statementOf(moves);
    const parts = writePdf(statement);
    const take = async (pages: number) => {
      let bytes = 0;
      for (let page = 0; page < pages; page++) bytes += ((await parts.next()).value as Buffer).length;
      return bytes;
    };
    const [first, most] = [Math.floor(PAGES / 6), Math.floor((PAGES * 5) / 6) - 5];
    await take(first);
    const early = memory();
    const bytes = await take(most);
    const kept = memory() - early;
    let [rest, count] = [0, 0];
    for await (const part of parts) {
      rest += part.length;
      count += 1;
    }
    expect(count).toBe(PAGES - first - most);
    expect(bytes).toBeGreaterThan(2 * rest); // of which the table of where each object is, is most
    expect(kept).toBeLessThan(bytes);
  });

  it('of a year is written as a workbook in the memory of a few pages, and read no faster than it is taken', async () => {
    const comment = 'a long and winding story of what it was for, '.repeat(10);
    let read = 0;
    async function* year() {
      for (let page = 0; page < YEAR / 250; page++) {
        const moved = Array.from({ length: 250 }, (_, at) => ({ amount: 100n, comment: `${page}/${at}: ${comment}` }));
        for await (const lines of statementOf(moved).pages) {
          read += lines.length;
          yield lines;
        }
      }
    }
    const parts = writeXlsx(statementOf([], { pages: year(), count: YEAR }));
    await parts.next();
    expect(read).toBeLessThan(YEAR / 10);
    const until = async (lines: number) => {
      for (let isDone = false; !isDone; ) isDone = read >= lines || (await parts.next()).done === true;
      return memory();
    };
    const early = await until(YEAR / 6);
    const late = await until((YEAR * 5) / 6);
    expect(late - early).toBeLessThan((YEAR * comment.length) / 10);
    for await (const _ of parts);
    expect(read).toBe(YEAR);
  });
});
