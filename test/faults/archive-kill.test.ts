import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyArchive } from '#modules/archives';
import { systemAccount } from '#modules/ledger';
import { withSealer } from '../db/seals/sealed-books.ts';
import { eventually } from '../support/eventually.ts';
import { checkLedger, useLedger } from '../support/ledger.ts';
import { monthsAgo, nameOf, openMonths, totalAndSeal } from '../support/past-months.ts';
import { post, postingBetween } from '../support/post.ts';

const ledger = useLedger();
const directory = await mkdtemp(join(tmpdir(), 'paytag-test-archive-'));
const END = monthsAgo(12);
const url = () => (ledger.pool.options as { connectionString: string }).connectionString;
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(directory, { recursive: true });
});

/** A run that stops at each step; resolves to the step that begins so, at which it waits. */
function run() {
  const program = new URL('archive-run.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, url(), nameOf(END), directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const goOn = () => child.stdin.write('\n');
  return {
    goOn,
    async until(step: string): Promise<void> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`the run ended before "${step}"`);
        if (value.includes(step)) return;
        goOn();
      }
    },
    async kill(): Promise<void> {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

const balances = async () =>
  (await ledger.pool.query('select id, posted, version from ledger.account order by id')).rows;
const isWhole = async () => {
  expect((await checkLedger(ledger.db)).checks.filter(({ violations }) => violations > 0)).toEqual([]);
  expect(await balances()).toEqual(before);
};
let before: unknown;
let copy: string[];

beforeAll(async () => {
  await openMonths(ledger.pool, 12);
  const book = await ledger.newBook();
  const at = (minutes: number) => new Date(END.getTime() - minutes * 60_000);
  const named = (reference: string) => ({ owner: book.partner, partner: book.partner, reference });
  const funding = { ...named('opening'), type: 'FLOAT_FUNDING' } as const;
  await post(ledger.db, postingBetween(systemAccount('CLEARING', 'NGN'), book.float, 10_000n, funding), at(300));
  for (let minute = 200; minute > 0; minute -= 10) {
    await post(ledger.db, postingBetween(book.float, book.wallet, 7n, named(`old-${minute}`)), at(minute));
  }
  await post(ledger.db, postingBetween(book.float, book.wallet, 9n, named('new')));
  copy = await withSealer(url(), (resources) => totalAndSeal({ owner: ledger.pool, resources }, END, END));
  before = await balances();
});

it('killed with -9 at each step, an archive goes on where it was, and the books hold in between', async () => {
  for (const step of ['18 of 42 entries written', ': written', 'read back', ': closed', 'being taken off']) {
    const killed = run();
    await killed.until(step);
    await killed.kill();
    await isWhole();
  }
  // While the part is being taken off, which waits for whoever reads the entries.
  const reader = await ledger.pool.connect();
  await reader.query('begin; select from ledger.entry limit 1');
  const waiting = run();
  await waiting.until('being taken off');
  waiting.goOn();
  const detaching = `select pid from pg_stat_activity where query like 'alter table ledger.entry detach%' and state = 'active'`;
  await eventually(async () => expect((await ledger.pool.query(detaching)).rowCount).toBe(1));
  await eventually(async () =>
    expect((await ledger.pool.query('select from pg_inherits where inhdetachpending')).rowCount).toBe(1),
  );
  await waiting.kill();
  const [{ pid }] = (await ledger.pool.query(detaching)).rows;
  await ledger.pool.query('select pg_terminate_backend($1)', [pid]);
  await reader.query('commit');
  reader.release();
  await isWhole();
  const dropped = run();
  await dropped.until('taken off');
  await dropped.kill();
  await isWhole();

  const last = run();
  await last.until('done: ');
  const { rows } = await ledger.pool.query(
    `select to_regclass('ledger.entry_before') as table, count(*)::int as archived from ledger.archive`,
  );
  expect(rows).toEqual([{ table: null, archived: 1 }]);
  await isWhole();
  expect(await verifyArchive(join(directory, 'entry_before'), copy)).toMatchObject({
    ok: true,
    manifest: { entries: 42 },
  });
});
