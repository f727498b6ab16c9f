import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareStatements } from '#modules/statements';
import { signedIn, textOf } from '../../http/console/console.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { commandLineOf } from '../../support/command-line.ts';
import { newOperator } from '../../support/operators.ts';
import { archiveBefore, monthsAgo, moveBack, nameOf, openMonths, totalAndSeal } from '../../support/past-months.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { type LoggedIn, loggedIn, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const directory = await mkdtemp(join(tmpdir(), 'paytag-test-archived-'));
afterAll(() => rm(directory, { recursive: true }));

const [FIRST, SECOND] = [monthsAgo(13), monthsAgo(12)];
const second = `entry_${nameOf(FIRST).replace('-', '_')}`;
const RESPOND_ASYNC = { prefer: 'respond-async' };

let partner: TestPartner;
let ada: LoggedIn;
/** What was asked for while all of it was there. */
let accepted: { statuses: number[]; reference: string; url: string };

/** Of Ada's wallet, from the last day of the first month. */
function statement(more: Record<string, string> = {}) {
  const from = new Date(FIRST.getTime() - 86_400_000).toISOString();
  const url = `/v2/sso/transaction/statement?format=csv&from=${from}&to=${SECOND.toISOString()}`;
  return server.call('POST', url, { headers: { ...ada.headers, ...more } });
}

beforeAll(async () => {
  await openMonths(server.owner, 13);
  partner = await server.newPartner({ float: 1_000 });
  ada = await loggedIn(server, partner, 50);
  await moveBack(server.owner, 14);
  await moveMoney(server, partner, ada.wallet, 'credit', { amount: 7, reference: 'later' });
  await moveBack(server.owner, 13);
  await totalAndSeal(server, FIRST, SECOND);
  await moveMoney(server, partner, ada.wallet, 'debit', { amount: 1, reference: 'new' });
  const later = await statement(RESPOND_ASYNC);
  const atOnce = await statement();
  const statuses = [later.statusCode, atOnce.statusCode];
  accepted = { statuses, ...later.json<{ reference: string }>(), ...atOnce.json<{ url: string }>() };
  await archiveBefore(server, directory, { before: SECOND }, () => undefined);
}, 120_000);

describe('a statement that begins in a month that is closed', () => {
  it('is refused when it is asked for, whether at once or for later', async () => {
    for (const answer of [await statement(), await statement(RESPOND_ASYNC)]) {
      expect([answer.statusCode, answer.json()]).toMatchObject([410, { errorCode: 'PERIOD_ARCHIVED' }]);
      expect(answer.json<{ message: string }>().message).toContain(SECOND.toISOString());
    }
  });

  it('fails with that reason where it was accepted before; a link that was given out is refused when it is followed', async () => {
    expect(accepted.statuses).toEqual([202, 200]);
    await prepareStatements(server.resources);
    const read = await server.call('GET', `/v2/sso/transaction/statement/${accepted.reference}`, {
      headers: ada.headers,
    });
    expect(read.json()).toMatchObject({ status: 'Failed', failureReason: 'PERIOD_ARCHIVED' });
    expect((await server.call('GET', new URL(accepted.url).pathname)).statusCode).toBe(410);
  });

  it('is given out of a wallet that had no movements by then', async () => {
    const bola = await loggedIn(server, partner, 5);
    const from = FIRST.toISOString();
    const url = `/v2/sso/transaction/statement?format=csv&from=${from}&to=${SECOND.toISOString()}`;
    expect((await server.call('POST', url, { headers: bola.headers })).statusCode).toBe(200);
  });
});

describe('a transaction whose entries are archived', () => {
  const read = async (reference: string) =>
    (await server.operate('GET', `/transactions/${reference}?partnerId=${partner.id}`)).json();
  const first = () => `for-${ada.wallet}`;

  it('says in which archive they are, and one that has all of them says nothing of it', async () => {
    const old = await read(first());
    expect(old).toMatchObject({ transaction: { Reference: first(), Status: 'Successful' }, entries: [] });
    const files = { part: 'entry_before', file: 'entry_before/entries.csv.gz', endsAt: FIRST.toISOString() };
    expect(old.archivedEntries).toEqual([files]);
    expect((await read('later')).archivedEntries).toEqual([
      { part: second, file: `${second}/entries.csv.gz`, startsAt: FIRST.toISOString(), endsAt: SECOND.toISOString() },
    ]);
    const young = await read('new');
    expect(young.entries).not.toEqual([]);
    expect(young).not.toHaveProperty('archivedEntries');
  });

  it('says so on its page in the console, and on the command line', async () => {
    const browser = await signedIn(server, (await newOperator(server, 'viewer')).token);
    const page = textOf(await browser.get(`/console/transactions/${first()}?partnerId=${partner.id}`));
    expect(page).toContain('entries of it are archived, in entry_before/entries.csv.gz');
    expect(page).not.toContain('it was declined, or waits');
    expect(page).not.toContain('no event tells of it');
    const command = ['transactions', 'show', first(), '--partner-id', partner.id];
    const printed = await commandLineOf(server, OPERATOR_TOKEN)(command);
    expect(printed.out).toContain('entry_before/entries.csv.gz');
  });
});
