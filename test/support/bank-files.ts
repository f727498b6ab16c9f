import type { TestApp } from './app.ts';
import { newReference } from './wallets.ts';

/** A line of a file that a test makes: kobo, what came in above zero. */
export interface FileLine {
  day: string;
  amount: bigint;
  reference: string;
  narration?: string;
}

export const MAPPING = {
  date: 'Date',
  dateFormat: 'DD/MM/YYYY',
  debit: 'Debit',
  credit: 'Credit',
  reference: 'Ref',
  narration: 'Details',
  balance: 'Balance',
};

const OPENING = 1_000_000_000n;
const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
const written = (amount: bigint, mark = '.'): string => {
  const digits = String(abs(amount)).padStart(3, '0');
  return `${digits.slice(0, -2)}${mark}${digits.slice(-2)}`;
};
const sum = (lines: readonly FileLine[]): bigint => lines.reduce((total, { amount }) => total + amount, 0n);
const short = (day: string): string => day.slice(2).replaceAll('-', '');

function csv(lines: readonly FileLine[]): string {
  let balance = OPENING;
  const rows = lines.map(({ day, amount, reference, narration = '' }) => {
    balance += amount;
    const [year, month, date] = day.split('-');
    const sides = amount < 0n ? [written(amount), ''] : ['', written(amount)];
    return [`${date}/${month}/${year}`, reference, `"${narration}"`, ...sides, written(balance)].join(',');
  });
  const opening = `,,Opening balance,,,${written(OPENING)}`;
  const closing = `,,Closing balance,,,${written(balance)}`;
  return ['Date,Ref,Details,Debit,Credit,Balance', opening, ...rows, closing, ''].join('\r\n');
}

const balanceOf = (kind: string, amount: bigint, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">${written(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

function camt(lines: readonly FileLine[]): string {
  const entries = lines.map(
    ({ day, amount, reference, narration = '' }) => `<Ntry>
<Amt Ccy="NGN">${written(amount)}</Amt><CdtDbtInd>${amount < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>${day}</Dt></BookgDt>
<NtryDtls><TxDtls><Refs><EndToEndId>${reference || 'NOTPROVIDED'}</EndToEndId></Refs><RmtInf><Ustrd>${narration}</Ustrd></RmtInf></TxDtls></NtryDtls>
</Ntry>`,
  );
  const days = lines.map(({ day }) => day).toSorted();
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S1</Id>
<Acct><Id><Othr><Id>0011223344</Id></Othr></Id></Acct>
${balanceOf('OPBD', OPENING, days[0] ?? '2026-01-01')}${balanceOf('CLBD', OPENING + sum(lines), days.at(-1) ?? '2026-01-01')}
${entries.join('\n')}
</Stmt></BkToCstmrStmt></Document>`;
}

function mt940(lines: readonly FileLine[]): string {
  const days = lines.map(({ day }) => day).toSorted();
  const balance = (amount: bigint, day = '2026-01-01') => `C${short(day)}NGN${written(amount, ',')}`;
  const rows = lines.flatMap(({ day, amount, reference, narration = '' }) => [
    `:61:${short(day)}${short(day).slice(2)}${amount < 0n ? 'D' : 'C'}${written(amount, ',')}NTRF${reference || 'NONREF'}`,
    `:86:${narration || 'transfer'}`,
  ]);
  const header = [':20:STMT', ':25:0011223344', ':28C:1/1', `:60F:${balance(OPENING, days[0])}`];
  return [
    '{1:F01BANKNGLA}{4:',
    ...header,
    ...rows,
    `:62F:${balance(OPENING + sum(lines), days.at(-1))}`,
    '-}',
    '',
  ].join('\r\n');
}

/** A file of each format with these lines. */
export const fileOf = { CSV: csv, 'CAMT.053': camt, MT940: mt940 } as const;
export type Format = keyof typeof fileOf;

/** What is sent to import such a file. */
export const importOf = (rail: string, format: Format, lines: readonly FileLine[]) => ({
  rail,
  format,
  content: fileOf[format](lines),
  ...(format === 'CSV' ? { mapping: MAPPING } : {}),
});

/** What is sent to import a line of this reference: a CSV where a member of its mapping is tried, and confirmed where one of that is. */
export const goodImport = (reference: string, member = ''): Record<string, unknown> => {
  const amount = member === 'mapping.credit' ? -100n : 100n;
  const line = { day: '2026-11-20', amount, reference, narration: `transfer ${reference}` };
  const body = importOf('BANK', member.startsWith('mapping.') ? 'CSV' : 'MT940', [line]);
  return member.startsWith('confirm.') ? { ...body, confirm: { count: 1, credits: 1, debits: 0 } } : body;
};

/** An imported file of one line. */
export async function newImport(
  server: TestApp,
  narration = 'rent',
  rail = 'BANK',
): Promise<{ id: string; item: string }> {
  const line = { day: '2026-11-20', amount: 100n, reference: newReference(), narration };
  const { id } = (await server.operate('POST', '/reconciliation/imports', importOf(rail, 'CSV', [line]))).json();
  const { items } = (await server.operate('GET', `/reconciliation/items?importId=${id}`)).json();
  return { id, item: items[0].id };
}
