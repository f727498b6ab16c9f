import readSheets from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { readPdf } from '../../support/statements.ts';
import { initiate, newSide } from '../../support/switch.ts';
import {
  changeWallet,
  type LoggedIn,
  loggedIn,
  logInAt,
  moveMoney,
  pay,
  paymentsOf,
  refund,
} from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_PARTNER_WALLET_DEBIT: '5' });

/** A moment that is after all that happened, and before all that is still to happen. */
async function momentBetween(): Promise<Date> {
  const moment = new Date(Date.now() + 1);
  await eventually(() => expect(Date.now()).toBeGreaterThan(moment.getTime()));
  return moment;
}

/** A customer to whom and from whom everything that moves money has happened, some of it before the period shown. */
async function movedCustomer(): Promise<{ ada: LoggedIn; from: Date; to: Date }> {
  const partner = await server.newPartner({ float: 10_000 });
  const ada = await loggedIn(server, partner, 1_000.25);
  const bola = await logInAt(server, partner, await loggedIn(server, partner, 500), 0);
  await changeWallet(server, ada.wallet, { dailyLimit: 5_000 });
  const from = await momentBetween();
  const moved = [
    await moveMoney(server, partner, ada.wallet, 'credit', { amount: 250.5, reference: 'salary' }),
    await moveMoney(server, partner, ada.wallet, 'debit', { amount: 100.01, reference: 'shop' }),
    await refund(server, partner, 'shop', { reference: 'shop-back', amount: 40.01 }),
    await refund(server, partner, 'salary', { reference: 'salary-back', amount: 50 }),
    await pay(server, ada, { paytag: bola.paytag, amount: 75.1, reference: 'lunch' }),
    await pay(server, bola, { paytag: ada.paytag, amount: 33.33, reference: 'debt' }),
    await paymentsOf(server).inbound(await nubanOf(ada), { amount: 999.99 }),
  ];
  expect(moved.map(({ statusCode }) => statusCode)).toEqual(moved.map(() => 200));
  return { ada, from, to: await momentBetween() };
}

const nubanOf = async ({ headers }: LoggedIn): Promise<string> =>
  (await server.call('GET', '/v2/sso/wallet', { headers })).json().Nuban;

async function documentOf({ headers }: LoggedIn, format: string, from: Date, to: Date): Promise<Buffer> {
  const asked = new URLSearchParams({ format, from: from.toISOString(), to: to.toISOString() });
  const answer = await server.call('POST', `/v2/sso/transaction/statement?${asked.toString()}`, { headers });
  return (await server.call('GET', new URL(answer.json<{ url: string }>().url).pathname)).rawPayload;
}

const kobo = (text = ''): bigint => BigInt(text.replaceAll(/[,.]/g, '') || '0');

/** Balances and lines as a reader of a document without our code finds them: each line's amount, and the balance after it. */
interface Found {
  opening: bigint;
  lines: { amount: bigint; balance: bigint }[];
  credits: bigint;
  debits: bigint;
  closing: bigint;
}

async function inPdf(document: Buffer): Promise<Found> {
  const text = (await readPdf(document)).pages.join(' ');
  const amount = '([\\d,]+\\.\\d\\d)';
  const find = (pattern: string) => new RegExp(pattern).exec(text)?.slice(1).map(kobo) ?? [];
  const [opening = 0n, credits = 0n, debits = 0n, closing = 0n] = find(
    `Opening balance ₦${amount} Total credits ₦${amount} Total debits ₦${amount} Closing balance ₦${amount}`,
  );
  expect(find(`Closing balance ${amount} ${amount} ${amount}`)).toEqual([debits, credits, closing]);
  const table = text.slice(text.indexOf('Balance (₦)'), text.lastIndexOf('Closing balance'));
  const pairs = [...table.matchAll(new RegExp(`[^\\s.,]+ ${amount} ${amount}(?= \\d\\d \\w{3} \\d{4}| $)`, 'g'))];
  return { opening, credits, debits, closing, lines: pairs.map(([, one, two]) => pairOf(one, two)) };
}

function inHtml(document: Buffer): Found {
  const text = document.toString();
  const [opening = 0n, credits = 0n, debits = 0n, closing = 0n] = [...text.matchAll(/<dd>₦([\d,.]+)<\/dd>/g)].map(
    ([, amount]) => kobo(amount),
  );
  const cells = [...text.matchAll(/<tr><td>.*?<\/tr>/g)].map(([row]) => [
    ...row.matchAll(/<td class="amount">([\d,.]*)<\/td>/g),
  ]);
  const lines = cells.map(([debit, credit, balance]) => pairOf(debit?.[1] || credit?.[1], balance?.[1]));
  return { opening, credits, debits, closing, lines };
}

function inCsv(document: Buffer): Found {
  const all = document.toString().trim().split('\r\n');
  const records = all.slice(all.findIndex((record) => record.includes('Opening balance')));
  const amounts = records.map((record) => record.split(',').slice(-4).map(kobo));
  const column = (at: number) => amounts.slice(1, -1).map((record) => record[at] ?? 0n);
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
  const [debits, credits, balances] = [column(0), column(1), column(3)];
  const lines = balances.map((balance, at) => ({ amount: (debits[at] ?? 0n) + (credits[at] ?? 0n), balance }));
  const [opening = 0n, closing = 0n] = [amounts[0]?.[3], amounts.at(-1)?.[3]];
  return { opening, credits: sum(credits), debits: sum(debits), closing, lines };
}

async function inXlsx(document: Buffer): Promise<Found> {
  const rows = (await readSheets(document))[0]?.data ?? [];
  const table = rows.slice(rows.findIndex((row) => row[1] === 'Opening balance'));
  const inKobo = (value: unknown) => kobo(typeof value === 'number' ? value.toFixed(2) : '');
  const sum = (column: number) => table.reduce((total, row) => total + inKobo(row[column]), 0n);
  return {
    opening: inKobo(table[0]?.[9]),
    credits: sum(7),
    debits: sum(6),
    closing: inKobo(table.at(-1)?.[9]),
    lines: table.slice(1, -1).map((row) => ({ amount: inKobo(row[6] ?? row[7]), balance: inKobo(row[9]) })),
  };
}

const pairOf = (amount: string | undefined, balance: string | undefined) => ({
  amount: kobo(amount),
  balance: kobo(balance),
});

it('opening + credits − debits = closing, and each balance follows from the previous one in the document itself', async () => {
  const { ada, from, to } = await movedCustomer();
  const found = await inPdf(await documentOf(ada, 'pdf', from, to));
  const { opening, credits, debits, closing, lines } = found;
  expect(opening).toBe(100_025n);
  expect(credits).toBe(25_050n + 4_001n + 3_333n + 99_999n);
  expect(debits).toBe(10_001n + 5_000n + 7_510n + 1_000n); // includes the sender's fee
  expect(opening + credits - debits).toBe(closing);
  expect(lines).toHaveLength(7);
  let before = opening;
  for (const { amount, balance } of lines) {
    expect([before + amount, before - amount]).toContain(balance);
    before = balance;
  }
  expect(before).toBe(closing);

  expect(inHtml(await documentOf(ada, 'html', from, to))).toEqual(found);
  const csv = await documentOf(ada, 'csv', from, to);
  expect(inCsv(csv)).toEqual(found);
  expect(csv.toString()).toMatch(/,Transfer to [^,]+ \(@\w+\),/); // whom they paid, by name
  expect(await inXlsx(await documentOf(ada, 'xlsx', from, to))).toEqual(found);
  const wallet = (await server.call('GET', '/v2/sso/wallet', { headers: ada.headers })).json<{ Balance: number }>();
  expect(kobo(wallet.Balance.toFixed(2))).toBe(closing);
});

it('names the other side of what an application sends, and what an operator reverses', async () => {
  const partner = await server.newPartner({ float: 1_000 });
  const ada = await loggedIn(server, partner, 10);
  const bola = await loggedIn(server, partner, 100);
  const from = await momentBetween();
  const market = await newSide(server, 'Market');
  const sent = await initiate(server, market, { senderTag: market.tag, receiverTag: ada.paytag, amount: 25 });
  expect(sent.json()).toMatchObject({ data: { status: 'ACCEPTED' } });
  await pay(server, bola, { paytag: ada.paytag, amount: 7, reference: 'lunch' });
  await moveMoney(server, partner, ada.wallet, 'credit', { amount: 3, reference: 'bonus' });
  const { items } = (await server.call('GET', '/v2/sso/transaction', { headers: ada.headers })).json();
  for (const type of ['TRANSFER', 'PARTNER_WALLET_CREDIT']) {
    const { Reference, ID } = items.find((one: { Type: string }) => one.Type === type);
    const back = await server.operate('POST', `/transactions/${Reference}/reverse`, {
      id: ID,
      reference: `back-${ID}`,
      reason: 'a mistake',
    });
    expect([type, back.statusCode, back.body]).toEqual([type, 200, expect.anything()]);
  }
  const csv = (await documentOf(ada, 'csv', from, await momentBetween())).toString();
  expect(csv).toContain(`Transfer from Market (@${market.tag})`);
  expect(csv).toMatch(new RegExp(`Reversal to [^,]+ \\(@${bola.paytag}\\)`));
  expect(csv).toContain('Reversal of bonus');
  expect(csv).not.toMatch(/,(?:Transfer|Reversal),/);
});
