import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/crypto/digest.ts';
import { loadArchive, verifyArchive } from '#modules/archives';
import { periodOf } from '#modules/ledger';
import { verifySeals } from '#modules/seals';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { asOwnerOf, useDatabase } from '../../support/database.ts';
import { archiveBefore, monthsAgo, moveBack, nameOf, openMonths, totalAndSeal } from '../../support/past-months.ts';
import { resolve, reverse } from '../../support/payments.ts';
import { fillRichBooks } from '../../support/rich-books.ts';
import { kycWallet, moveMoney, refund } from '../../support/wallets.ts';

const database = useDatabase();
beforeAll(() => fillRichBooks(database.url), 120_000);
const server = useApp({}, database);
const directory = await mkdtemp(join(tmpdir(), 'paytag-test-archive-'));
afterAll(() => rm(directory, { recursive: true }));

/** The first part, with everything that can happen; and the month after it, with little. */
const [FIRST, SECOND] = [monthsAgo(13), monthsAgo(12)];
const second = `entry_${nameOf(FIRST).replace('-', '_')}`;
const steps: string[] = [];
const archive = (before: Date, given: { drop?: boolean; dryRun?: boolean } = {}) =>
  archiveBefore(server, directory, { before, ...given }, (step) => void steps.push(step));
const select = async (text: string, given: unknown[] = []) => (await server.owner.query(text, given)).rows;
const balances = () => select('select id, posted, suspended, liens, version from ledger.account order by id');
const trialBalance = async (day: string) => (await server.operate('GET', `/ledger/trial-balance/${day}`)).json();
const history = (wallet: string, query = '') =>
  server.call('GET', `/v2/partner/wallet/${wallet}/history${query}`, { headers: partner.headers });

let partner: TestPartner;
let wallet: string;
let copy: string[];
let entries: { first: number; second: number };
let before: { balances: unknown; today: unknown; once: unknown };
const THEN = nameOf(FIRST).concat('-12');
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  await openMonths(server.owner, 13);
  partner = await server.newPartner({ float: 1_000 });
  wallet = await kycWallet(server, partner);
  for (const amount of [50, 60])
    await moveMoney(server, partner, wallet, 'credit', { amount, reference: `old-${amount}` });
  await moveBack(server.owner, 14);
  for (const amount of [7, 8])
    await moveMoney(server, partner, wallet, 'credit', { amount, reference: `later-${amount}` });
  await moveBack(server.owner, 13);
  copy = await totalAndSeal(server, FIRST, SECOND);
  for (const amount of [1, 2])
    await moveMoney(server, partner, wallet, 'debit', { amount, reference: `new-${amount}` });
  const [found] = await select(
    `select (select count(*)::int from ledger.entry_before) as first, (select count(*)::int from ledger.${second}) as second`,
  );
  entries = found;
}, 180_000);

it('a month of which money waits in suspense is not closed: its entries are needed yet', async () => {
  await expect(archive(FIRST)).rejects.toThrow(/^entry_before: \d+ transactions from before its end wait in suspense/);
  const { items } = (await server.operate('GET', '/suspense?limit=100')).json<{
    items: { id: number; partnerId: string }[];
  }>();
  for (const { id, partnerId } of items) {
    expect((await resolve(server, id, { to: 'float', partnerId })).statusCode).toBe(200);
  }
  expect(await brokenInvariants(server)).toEqual([]);
});

it('the last twelve months are not closed, whoever asks, nor one that is not sealed to its end', async () => {
  await expect(archive(monthsAgo(11))).rejects.toThrow(
    `the latest that can be asked for is --before ${nameOf(SECOND)}`,
  );
  await server.owner.query(`begin; set local session_replication_role = replica; create table kept as select * from seals.seal where ends_at >= '${SECOND.toISOString()}';
    delete from seals.seal where ends_at >= '${SECOND.toISOString()}'; commit`);
  await expect(archive(SECOND)).rejects.toThrow(`${second}: its hours are not sealed to the end`);
  await server.owner.query(
    `begin; set local session_replication_role = replica; insert into seals.seal select * from kept; drop table kept; commit`,
  );
});

describe('a month that is archived', () => {
  it('was the first of them, and the run that stopped at the second is gone on with', async () => {
    expect(await select('select part from ledger.archive')).toEqual([{ part: 'entry_before' }]);
    before = { balances: await balances(), today: await trialBalance(today), once: await trialBalance(THEN) };
    expect(await archive(SECOND, { dryRun: true })).toEqual([second]);
    expect(await select(`select part from ledger.archive`)).toHaveLength(1);
    expect(await archive(SECOND, { drop: true })).toEqual([second]);
    expect(steps).toContain(`${second}: read back: every entry is as it was sealed`);
    expect(
      await select(`select to_regclass('ledger.entry_before') as first, to_regclass('ledger.${second}') as second`),
    ).toEqual([{ first: null, second: null }]);
    expect(await select('select part, entries::int from ledger.archive order by ends_at')).toEqual([
      { part: 'entry_before', entries: entries.first },
      { part: second, entries: entries.second },
    ]);
    expect(entries).toEqual({ first: expect.any(Number), second: 4 });
    expect(entries.first).toBeGreaterThan(100);
    expect(await archive(SECOND)).toEqual([]);
  }, 60_000);

  it('leaves every balance, the trial balance of that time and of today, and nothing that a check finds', async () => {
    expect(await balances()).toEqual(before.balances);
    expect(await trialBalance(today)).toEqual(before.today);
    expect(await trialBalance(THEN)).toEqual(before.once);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('leaves seals that hold but for its entries, and says until when those were not looked at', async () => {
    const verdict = await verifySeals(server.resources, copy);
    expect(verdict).toMatchObject({ ok: true, copied: copy.length, archivedUntil: SECOND });
  });

  it('goes on being posted to: what was numbered before goes on from what is carried', async () => {
    await moveMoney(server, partner, wallet, 'credit', { amount: 3, reference: 'after' });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is told by no history: a page ends where the entries do, and one that lies before says where they begin', async () => {
    const page = (await history(wallet)).json<{ items: { Reference: string }[]; count: number }>();
    expect(page.items.map(({ Reference }) => Reference)).toEqual(['after', 'new-2', 'new-1']);
    expect(page.count).toBe(7);
    expect((await history(wallet, '?offset=3')).json()).toMatchObject({ items: [], count: 7 });
    const older = await history(wallet, '?offset=4');
    expect([older.statusCode, older.json()]).toMatchObject([410, { errorCode: 'PERIOD_ARCHIVED' }]);
    expect(older.json<{ message: string }>().message).toContain(SECOND.toISOString());
    expect((await history(wallet, '?offset=7')).json()).toMatchObject({ items: [] });
  });

  it('is told by no statement: one that begins in it is refused, one after it begins with what is carried', async () => {
    const [{ id, version }] = await select('select id::int, version::int from ledger.account where reference = $1', [
      wallet,
    ]);
    const [from, to] = [SECOND, new Date(Date.now() + 60_000)];
    const { db } = server.resources;
    expect(await periodOf(db, { id, version }, { from, to })).toMatchObject({
      first: 5,
      opening: 12_500n,
      closing: 12_500n,
    });
    const quiet = { from, to: new Date(SECOND.getTime() + 1) };
    expect(await periodOf(db, { id, version }, quiet)).toMatchObject({
      first: 5,
      last: 4,
      opening: 12_500n,
      closing: 12_500n,
    });
    const early = periodOf(db, { id, version }, { from: new Date(SECOND.getTime() - 1), to });
    await expect(early).rejects.toMatchObject({ code: 'PERIOD_ARCHIVED' });
    const younger = await kycWallet(server, partner);
    const [account] = await select('select id::int, version::int from ledger.account where reference = $1', [younger]);
    expect(await periodOf(db, account, { from: new Date(0), to })).toMatchObject({ opening: 0n, closing: 0n });
  });

  it('answers a reference of it as before, moves nothing, and can be refunded, but not reversed', async () => {
    const again = await moveMoney(server, partner, wallet, 'credit', { amount: 50, reference: 'old-50' });
    expect([again.statusCode, again.json()]).toMatchObject([
      200,
      { Reference: 'old-50', Amount: 50, Status: 'Successful' },
    ]);
    const reused = await moveMoney(server, partner, wallet, 'credit', { amount: 51, reference: 'old-50' });
    expect(reused.json()).toMatchObject({ errorCode: 'REFERENCE_REUSED' });
    const reversed = await reverse(server, 'old-60', { reference: 'undo', partnerId: partner.id });
    expect([reversed.statusCode, reversed.json()]).toMatchObject([410, { errorCode: 'PERIOD_ARCHIVED' }]);
    expect((await refund(server, partner, 'old-50', { reference: 'back', amount: 5 })).statusCode).toBe(200);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is found by the check where what is carried of it was changed', async () => {
    await server.owner.query(`begin; set local session_replication_role = replica;
      update ledger.carried set moved_at = moved_at - interval '1 ms' where account_id = (select min(account_id) from ledger.carried); commit`);
    expect(await brokenInvariants(server)).toEqual(['carried_months_are_as_archived']);
    await server.owner.query(`begin; set local session_replication_role = replica;
      update ledger.carried set moved_at = moved_at + interval '1 ms' where account_id = (select min(account_id) from ledger.carried); commit`);
  });
});

describe('a stored archive', () => {
  const own = join(directory, second);

  it('is proved without a database by the seals that were kept elsewhere, by those of days alone too', async () => {
    for (const part of ['entry_before', second]) {
      expect(await verifyArchive(join(directory, part), copy)).toMatchObject({ ok: true, findings: [] });
    }
    const first = await verifyArchive(join(directory, 'entry_before'), copy);
    expect(first).toMatchObject({ hours: 4, manifest: { entries: entries.first } });
    const kids = new Set(first.kids);
    expect(await verifyArchive(own, copy, kids)).toMatchObject({ ok: true });
    expect((await verifyArchive(own, copy, new Set(['other']))).findings[0]).toMatch(/by a key that is not given$/);
    expect((await verifyArchive(own, [])).findings[0]).toMatch(/is not in the copy$/);
  });

  it('holds names of its own, and no text that somebody wrote', async () => {
    expect((await readdir(own)).toSorted()).toEqual([
      'accounts.csv.gz',
      'entries.csv.gz',
      'manifest.json',
      'seals.txt',
      'transactions.jsonl.gz',
    ]);
    const text = gunzipSync(await readFile(join(own, 'transactions.jsonl.gz'))).toString();
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).reference),
    ).toEqual(['later-7', 'later-8']);
    expect(text).not.toContain('comment');
  });

  it('tells of an amount that was changed, with the manifest made to fit, and of a file that was cut', async () => {
    const forged = join(directory, 'forged');
    await cp(own, forged, { recursive: true });
    const path = join(forged, 'entries.csv.gz');
    const lines = gunzipSync(await readFile(path))
      .toString()
      .replace(',700,', ',701,');
    await writeFile(path, gzipSync(lines));
    expect((await verifyArchive(forged, copy)).findings).toEqual([
      'entries.csv.gz is not the file of the manifest: it was changed or cut',
    ]);
    const bytes = await readFile(path);
    const manifest = JSON.parse(await readFile(join(forged, 'manifest.json'), 'utf8'));
    manifest.files.entries = { bytes: bytes.length, sha256: sha256(bytes).toString('hex') };
    await writeFile(join(forged, 'manifest.json'), JSON.stringify(manifest));
    const { findings } = await verifyArchive(forged, copy);
    expect(findings[0]).toMatch(/^seal \d+ \(.*\): 4 entries were sealed, and the 4 of the archive are not those$/);
    await appendFile(path, 'x');
    expect((await verifyArchive(forged, copy)).ok).toBe(false);
  });

  it('is read back into a table by itself, entry for entry', async () => {
    const owner = asOwnerOf(server);
    expect(await loadArchive(owner, own)).toEqual({ table: `ledger.loaded_${second}`, entries: 4 });
    expect(
      await select(
        `select sum(amount)::int as sum, count(distinct account_id)::int as accounts from ledger.loaded_${second}`,
      ),
    ).toEqual([{ sum: 0, accounts: 2 }]);
    await expect(loadArchive(owner, own)).rejects.toMatchObject({ cause: { code: '42P07' } });
  });
});
