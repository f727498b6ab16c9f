import { describe, expect, it } from 'vitest';
import { DomainError } from '#lib/domain-error.ts';
import { type FileKind, readBankFile } from '../../../src/modules/reconciliation/files/read-bank-file.ts';

type Mapping = Extract<FileKind, { format: 'CSV' }>['mapping'];
const DIALECT = { isInverted: false, delimiter: ',', decimalMark: '.', skipLines: 0, hasHeader: true } as const;
const COLUMNS = { date: 'Date', dateFormat: 'DD/MM/YYYY', narration: 'Details', reference: 'Ref' };

/** The amounts that are read, in naira, what proves them and what was on the account; or why the file is refused. */
async function read(content: string, kind: FileKind): Promise<unknown> {
  try {
    const { lines, provedBy, opening, closing } = await readBankFile(content, kind);
    const ends = opening === undefined || closing === undefined ? [] : [`${opening} to ${closing}`];
    return [lines.map(({ amount }) => Number(amount) / 100), ...provedBy, ...ends];
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
/** A text is a part of why it is refused. */
const expected = (told: unknown): unknown => (typeof told === 'string' ? expect.stringContaining(told) : told);
const csv = (header: string, rows: readonly string[], mapping: Partial<Mapping>) =>
  read([header, ...rows].join('\n'), { format: 'CSV', mapping: { ...COLUMNS, ...DIALECT, ...mapping } });
const withBalance = (rows: readonly string[]) =>
  csv('Date,Ref,Details,Debit,Credit,Balance', rows, { debit: 'Debit', credit: 'Credit', balance: 'Balance' });
const withoutBalance = (rows: readonly string[]) =>
  csv('Date,Ref,Details,Debit,Credit', rows, { debit: 'Debit', credit: 'Credit' });

describe('lines behind the last balance', () => {
  const known = '27/11/2026,B1,y,,50.00,1150.00';
  const tail = ['28/11/2026,B2,z,,70.00,', '28/11/2026,B3,w,,9000.00,'];
  it.each([
    ['are proved by nothing', [known, ...tail], [[50, 70, 9_000]]],
    ['nor where the newest stands first', [...tail.toReversed(), known], [[9_000, 70, 50]]],
    ['nor behind an opening balance', [',,Opening Balance,,,1100.00', known, ...tail], [[50, 70, 9_000]]],
    ['nor behind an opening balance alone', [',,Opening Balance,,,1100.00', ...tail], [[70, 9_000]]],
    ['nor in a day of its own order', [known, '27/11/2026,B2,z,,70.00,', '28/11/2026,B3,w,,5.00,'], [[50, 70, 5]]],
    ['nor where they come to nothing', [known, '28/11/2026,B2,z,,70.00,', '29/11/2026,B3,w,70.00,,'], [[50, 70, -70]]],
    ['nor one alone', [known, '28/11/2026,B2,z,,0.01,'], [[50, 0.01]]],
    [
      'unless a closing balance is there',
      [known, ...tail, ',,Closing Balance,,,10220.00'],
      [[50, 70, 9_000], 'BALANCES', '110000 to 1022000'],
    ],
    ['which must come out', [known, ...tail, ',,Closing Balance,,,10221.00'], 'come to 10220.00, not 10221.00'],
    ['or totals', [known, ...tail, ',,TOTAL,0.00,9120.00,'], [[50, 70, 9_000], 'TOTALS']],
    [
      'or both balances',
      [',,Opening Balance,,,1100.00', ...tail, ',,Closing Balance,,,10170.00'],
      [[70, 9_000], 'OPENING_AND_CLOSING', '110000 to 1017000'],
    ],
    [
      'of a day whose newest line has the balance are before it',
      ['27/11/2026,B3,w,,5.00,1225.00', '27/11/2026,B2,z,,70.00,', '27/11/2026,B1,y,,50.00,'],
      [[5, 70, 50], 'BALANCES', '110000 to 122500'],
    ],
  ])('%s', async (_what, rows, told) => {
    expect(await withBalance(rows)).toEqual(expected(told));
  });

  it.each([
    ['behind it', [known, '27/11/2026,B2,z,-70.00,,', '27/11/2026,B3,w,,9000.00,'], 'line 3, debit: a minus'],
    [
      'behind it, beside one that is proved',
      ['27/11/2026,B1,y,-50.00,,150.00', '27/11/2026,B2,y,-50.00,,100.00', '28/11/2026,B3,z,-70.00,,'],
      'line 4, debit: a minus',
    ],
    [
      'before the first balance alone',
      ['27/11/2026,B1,y,-50.00,,150.00', '28/11/2026,B3,z,,70.00,220.00'],
      'line 2, debit: a minus',
    ],
    [
      'between two balances',
      [known, '27/11/2026,B2,z,-70.00,,', '28/11/2026,B3,w,,9000.00,10080.00'],
      [[50, -70, 9_000], 'BALANCES', '110000 to 1008000'],
    ],
    [
      'before the first balance, beside one that is proved',
      ['27/11/2026,B1,y,-50.00,,150.00', '27/11/2026,B2,y,-50.00,,100.00'],
      [[-50, -50], 'BALANCES', '20000 to 10000'],
    ],
  ])('a minus among the debits %s', async (_what, rows, told) => {
    expect(await withBalance(rows)).toEqual(expected(told));
  });
});

describe('a column that says the direction', () => {
  const one = (name: string, ...rows: string[]) => csv(`Date,Ref,Details,Amount,${name}`, rows, { amount: 'Amount' });
  it.each([
    'Type',
    'Transaction Type',
    'CR_DR',
    'DrCr',
    'Cr / Dr',
    'D|C Indicator',
    'Dr./Cr.',
    'TRAN_TYPE',
    'Sign',
    'X',
  ])('is known as %s', async (name) => {
    expect(await one(name, '20/11/2026,A,rent,500.00,Debit', '20/11/2026,B,rent,7.00,CREDIT')).toEqual([[-500, 7]]);
    expect(await one(name, '20/11/2026,A,rent,500.00,DR', '20/11/2026,B,rent,-7.00,CR')).toContain(
      'line 3, amount: called a credit, and its sign says otherwise',
    );
  });

  it.each([
    ['a word of another kind', 'Type', ['A,rent,-5.00,NIP', 'B,rent,7.00,POS'], [[-5, 7]]],
    [
      'a word of another kind beside one that contradicts',
      'Type',
      ['A,rent,5.00,Debit', 'B,rent,7.00,Reversal'],
      'line 2, amount: called a debit',
    ],
    [
      'a word of another kind beside one that agrees',
      'Type',
      ['A,rent,-5.00,Debit', 'B,rent,7.00,Reversal'],
      [[-5, 7]],
    ],
    ['signs', 'X', ['A,rent,5.00,-', 'B,rent,7.00,+'], [[-5, 7]]],
    ['one sign, by its name', 'Sign', ['A,rent,5.00,-', 'B,rent,7.00,-'], [[-5, -7]]],
    ['hyphens for nothing', 'Cheque', ['A,rent,5.00,-', 'B,rent,7.00,-'], [[5, 7]]],
    ['other words', 'Kind', ['A,rent,5.00,Withdrawal', 'B,rent,7.00,Lodgement'], [[-5, 7]]],
    ['nothing in some rows', 'Type', ['A,rent,5.00,D', 'B,rent,7.00,'], 'line 3, amount: called neither'],
    ['a hyphen in some rows', 'DR/CR', ['A,rent,5.00,CR', 'B,rent,7.00,-'], 'line 3, amount: called neither'],
    ['nothing where there is a sign', 'Type', ['A,rent,5.00,D', 'B,rent,+7.00,', 'C,rent,-1.00,'], [[-5, 7, -1]]],
    ['nothing where there is no amount', 'Type', ['A,rent,5.00,D', 'B,rent,0.00,'], [[-5]]],
    ['nothing in any row, whatever its name', 'DR/CR', ['A,rent,5.00,', 'B,rent,7.00,'], [[5, 7]]],
    [
      'words of another kind under a name that is clear',
      'DR/CR',
      ['A,rent,5.00,XX', 'B,rent,7.00,D'],
      'neither debit nor credit: XX',
    ],
  ])('has %s', async (_what, name, rows, told) => {
    expect(await one(name, ...rows.map((row) => `20/11/2026,${row}`))).toEqual(expected(told));
  });

  it('may leave out what the balances say, or the totals', async () => {
    const rows = (last: string) => [
      '20/11/2026,A,rent,5.00,DR,95.00',
      '20/11/2026,B,rent,7.00,,102.00',
      `20/11/2026,C,rent,${last}`,
    ];
    const balanced = (last: string) =>
      csv('Date,Ref,Details,Amount,DR/CR,Balance', rows(last), { amount: 'Amount', balance: 'Balance' });
    expect(await balanced('2.00,DR,100.00')).toEqual([[-5, 7, -2], 'BALANCES', '10000 to 10000']);
    expect(await balanced('2.00,,100.00')).toContain('come to 104.00, not 100.00');
    expect(await balanced('2.00,,')).toContain('line 4, amount: called neither');
  });

  it('is heeded without a header, beside another one, and beside columns for each direction', async () => {
    const bare = { hasHeader: false, date: '1', reference: undefined, narration: '2', amount: '3' };
    expect(await csv('20/11/2026,rent,5.00,DR', ['20/11/2026,rent,7.00,CR'], bare)).toEqual([[-5, 7]]);
    expect(await one('Type,Side', '20/11/2026,A,rent,5.00,DR,Credit')).toContain('called a credit and a debit');
    const two = (row: string) => csv('Date,Ref,Details,Debit,Credit,Type', [row], { debit: 'Debit', credit: 'Credit' });
    expect(await two('20/11/2026,A,rent,5.00,,Credit')).toContain(
      'line 2, debit: called a credit in the column of debits',
    );
    expect(await two('20/11/2026,A,rent,,5.00,Credit')).toEqual([[5]]);
  });

  it('is none where a mapping names it for something else', async () => {
    const mapping = { amount: 'Amount', narration: 'Type' };
    expect(await csv('Date,Ref,Amount,Type', ['20/11/2026,A,5.00,Debit'], mapping)).toEqual([[5]]);
  });
});

describe('a currency', () => {
  const one = (header: string, cell: string, mapping: Partial<Mapping> = {}) =>
    csv(`Date,Ref,Details,Amount,${header}`, [`20/11/2026,A,rent,5.00,${cell}`, '20/11/2026,B,rent,7.00,'], {
      amount: 'Amount',
      ...mapping,
    });
  it.each(['Curr', 'CUR', 'Curr.', 'Ccy', 'Currency_Code', 'Txn Ccy', 'AcctCurrency', 'Money', 'X'])(
    'is known in a column %s',
    async (name) => {
      expect(await one(name, 'USD')).toContain('line 2, currency: the currency is USD, not NGN');
      expect(await one(name, 'NGN')).toEqual([[5, 7]]);
    },
  );

  it('is none among other words, or where a mapping names the column for something else', async () => {
    expect(await one('Channel', 'POS')).toEqual([[5, 7]]);
    expect(await one('Kind', 'TRY', { reference: 'Kind' })).toEqual([[5, 7]]);
  });
});

describe('a header', () => {
  it.each(['\u200bAmount', 'Amo\u200dunt', '\u2060Amount\ufeff', 'Amount\u00a0', 'AMOUNT\u200e'])(
    'is found by its name, whatever invisible marks stand in it: %j',
    async (name) => {
      const rows = ['20/11/2026,A,rent,5.00'];
      expect(await csv(`Date,Ref,Details,${name}`, rows, { amount: 'Amount' })).toEqual([[5]]);
      expect(await csv('Date,Ref,Details,Amount', rows, { amount: name })).toEqual([[5]]);
    },
  );
});

describe('a row within quotation marks', () => {
  it.each(['21-Nov-2026', '2026-11-21', '21.11.26', 'Nov 21 2026', '21 November 2026'])(
    'is found by a day that is written as %s, and its amount',
    async (day) => {
      const rows = ['20/11/2026,A,"x,,100.00,', `${day},B,y",,70.00`];
      expect(await withoutBalance(rows)).toContain('a quotation mark is closed in a later row');
    },
  );
  it('is none for a day alone', async () => {
    expect(await withoutBalance(['20/11/2026,A,"rent,\nof 21-Nov-2026, and more",,100.00'])).toEqual([[100]]);
  });
});

describe('a dated row that moved money', () => {
  it.each([
    ['whose text is a balance’s name', ['23/11/2026,A1,rent,,80.00', '23/11/2026,A2,C/F,50.00,'], [[80, -50]]],
    ['and is the first', ['23/11/2026,A2,B/F,,50.00', '23/11/2026,A1,rent,,80.00'], [[50, 80]]],
    [
      'among others',
      ['23/11/2026,A1,rent,,80.00', '23/11/2026,,Balance B/F,,50.00', '23/11/2026,A3,rent,,1.00'],
      [[80, 50, 1]],
    ],
    [
      'without a reference, last, and nothing tells',
      ['23/11/2026,A1,rent,,80.00', '23/11/2026,,Closing Balance,,50.00'],
      'line 3: a balance or a line of the account',
    ],
    ['and a balance in its words', ['23/11/2026,9000.00,Opening balance: 500.00,,80.00'], [[80]]],
  ])('is a line: %s', async (_what, rows, told) => {
    expect(await withoutBalance(rows)).toEqual(expected(told));
  });

  it.each([
    [
      'the reference is called so',
      ['23/11/2026,B/F,Payment for rice,,100.00,100.00', '23/11/2026,A2,rent,20.00,,80.00'],
      [[100, -20], 'BALANCES', '0 to 8000'],
    ],
    [
      'the text, beside a reference',
      ['23/11/2026,NIP7,B/F,,100.00,100.00', '23/11/2026,A2,rent,20.00,,80.00'],
      [[100, -20], 'BALANCES', '0 to 8000'],
    ],
    [
      'the text, among others',
      ['23/11/2026,A1,rent,100.00,,0.00', '23/11/2026,,C/F,,30.00,30.00', '23/11/2026,A2,rent,20.00,,10.00'],
      [[-100, 30, -20], 'BALANCES', '10000 to 1000'],
    ],
    ['the text, and the balance is another', ['23/11/2026,,B/F,,100.00,150.00'], [[100], 'BALANCES', '5000 to 15000']],
    [
      'the text, with a name of its own',
      ['23/11/2026,N1,Bal b/f,,100.00,150.00'],
      [[100], 'BALANCES', '5000 to 15000'],
    ],
    [
      'the balance it is',
      ['23/11/2026,,Balance B/F,,100.00,100.00', '23/11/2026,A2,rent,20.00,,80.00'],
      [[-20], 'BALANCES', '10000 to 8000'],
    ],
    [
      'the balance it is, without an amount',
      ['23/11/2026,OP,Opening Balance,,,100.00', '23/11/2026,A2,rent,20.00,,80.00'],
      [[-20], 'BALANCES', '10000 to 8000'],
    ],
    [
      'nothing else, and it has no amount',
      ['23/11/2026,B/F,Payment for rice,,,100.00', '23/11/2026,A2,rent,20.00,,80.00'],
      'line 2: neither a debit nor a credit',
    ],
  ])('where %s', async (_what, rows, told) => {
    expect(await withBalance(rows)).toEqual(expected(told));
  });

  it.each([
    ['a day that cannot be read', ['23.11.2026,A2,C/F,50.00,', '23/11/2026,A1,rent,,80.00'], 'line 2, date: not a day'],
    [
      'a day that cannot be read, at a place called Total',
      ['23.11.2026,A2,TOTAL,0.00,80.00', '23/11/2026,A1,rent,,80.00'],
      'line 2, date: not a day',
    ],
    ['no day, and a reference', [',A2,C/F,50.00,', '23/11/2026,A1,rent,,80.00'], 'line 2, date: missing'],
    [
      'no day, and a text of another kind',
      [',B/F,Payment for rice,,50.00', '23/11/2026,A1,rent,,80.00'],
      'line 2, date: missing',
    ],
    [
      'no day, and an amount beside a balance in words',
      [',9000.00,Opening balance: 500.00,,', '23/11/2026,A1,rent,,80.00'],
      'line 2, date: missing',
    ],
  ])('with %s is refused', async (_what, rows, told) => {
    expect(await withoutBalance(rows)).toEqual(expected(told));
  });

  it('where the text is the last column, and a balance stands in its words', async () => {
    const rows = ['23/11/2026,A1,9000.00,Opening balance: 500.00', '23/11/2026,A2,1.00,rent'];
    expect(await csv('Date,Ref,Amount,Details', rows, { amount: 'Amount' })).toEqual([[9_000, 1]]);
  });
});

describe('MT940: field 61 over rows', () => {
  const file = (...rows: string[]) =>
    [':20:S1', ':25:0011223344', ':28C:7/1', ':60F:C261119NGN100,00', ...rows].join('\r\n');
  const end = ':62F:C261120NGN150,00';
  const said = async (...rows: string[]) => {
    const { lines } = await readBankFile(file(...rows, end), { format: 'MT940' });
    return lines.map(({ reference, bankReference, narration }) => [reference, bankReference, narration].join(' | '));
  };
  const first = (text: string) => `:61:2611201120C50,00${text}`;
  it.each([
    ['a break in the reference', [first('NTRFPAY-1'), '2//B1'], 'PAY-12 | B1 | '],
    ['a break between the slashes', [first('NTRFPAY-12/'), '/B1'], 'PAY-12 | B1 | '],
    ['a break before the slashes', [first('NTRFPAY-12'), '//B1'], 'PAY-12 | B1 | '],
    ['a break behind the type', [first('NTRF'), 'PAY-12//B1'], 'PAY-12 | B1 | '],
    ['two breaks', [first('NTRFPA'), 'Y-1', '2//B1'], 'PAY-12 | B1 | '],
    ['a break, and words of the bank behind', [first('NTRFPAY-1'), '2//B1', 'CHARGES'], 'PAY-12 | B1 | CHARGES'],
    ['words of the bank', [first('NTRFPAY-12//B1'), 'CHARGES'], 'PAY-12 | B1 | CHARGES'],
    ['words of the bank without its reference', [first('NTRFPAY-12'), 'CHARGES'], 'PAY-12 |  | CHARGES'],
  ])('%s', async (_what, rows, told) => {
    expect(await said(...rows)).toEqual([told]);
  });

  it('rows of a network that breaks all of them at one length', async () => {
    const wide = first('NTRFPAY-1').length;
    const text = `:86:${'x'.repeat(wide - 4)}`;
    const rows = (own: string, next: string) => [own, next, text, `y${'x'.repeat(wide - 1)}`, 'tail'];
    expect(await said(...rows(first('NTRFPAY-1'), '2'))).toEqual([expect.stringMatching(/^PAY-12 \| {2}\| /)]);
    expect(await said(...rows(first('NTRFP//B1'), '2'))).toEqual([expect.stringMatching(/^P \| B12 \| /)]);
    expect(await said(...rows(first('NTRFPAY'), '2'))).toEqual([expect.stringMatching(/^PAY \| {2}\| 2 /)]);
  });

  it.each([
    ['a balance', ':60F:C261119NGN100,00', ':60F:C261119NGN100\r\n,00'],
    ['a balance within its day', ':62F:C261120NGN150,00', ':62F:C2611\r\n20NGN150,00'],
  ])('%s that is broken is read', async (_what, whole, broken) => {
    const text = file(first('NTRFX'), end).replace(whole, broken);
    expect(await read(text, { format: 'MT940' })).toEqual([[50], 'OPENING_AND_CLOSING', '10000 to 15000']);
  });

  it('a balance with something behind it is refused', async () => {
    const text = file(':60F:C261119NGN1,00', first('NTRFX'), end).replace(':60F:C261119NGN100,00\r\n', '');
    expect(await read(text.replace('NGN1,00', 'NGN100\r\n0,00'), { format: 'MT940' })).toContain('not 150.00');
    expect(await read(file(first('NTRFX'), `${end}\r\nBOLA`), { format: 'MT940' })).toContain(':62F:: not a balance');
  });
});

describe('CAMT.053: what is no reference is told all the same', () => {
  const bal = (kind: string, naira: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">${naira}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
  const said = async (own: string, parts: string) => {
    const entry = `<Ntry>${own}<Amt Ccy="NGN">50.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls>${parts}</NtryDtls></Ntry>`;
    const text = `<Stmt><Id>S1</Id>${bal('OPBD', '100')}${bal('CLBD', '150')}${entry}</Stmt>`;
    const { lines } = await readBankFile(text, { format: 'CAMT.053' });
    return lines.map(({ reference, bankReference, narration }) => [reference, bankReference, narration].join(' | '));
  };
  const part = (refs: string, more = '') => `<TxDtls><Refs>${refs}</Refs>${more}</TxDtls>`;
  const [e2e, naira] = [
    (id: string) => `<EndToEndId>${id}</EndToEndId>`,
    (amount: string) => `<Amt Ccy="NGN">${amount}</Amt>`,
  ];
  it.each([
    ['a serial number', '<NtryRef>123456</NtryRef>', part(e2e('NIP1')), ['NIP1 |  | entry-123456']],
    ['a serial number alone', '<NtryRef>7</NtryRef>', '', [' |  | entry-7']],
    [
      'a reference of the entry beside that of its payment',
      '<NtryRef>FT-77</NtryRef>',
      part(e2e('NIP1')),
      ['NIP1 |  | FT-77'],
    ],
    [
      'what names a batch',
      '<NtryRef>9</NtryRef><AcctSvcrRef>FT9</AcctSvcrRef>',
      part(`<MsgId>M1</MsgId>${e2e('NIP1')}`, naira('20.00')) + part(`<MsgId>M1</MsgId>${e2e('NIP2')}`, naira('30.00')),
      ['NIP1 |  | entry-9 batch-FT9 batch-M1', 'NIP2 |  | entry-9 batch-FT9 batch-M1'],
    ],
    [
      'the parts of a batch without amounts',
      '',
      part(e2e('NIP1')) + part(e2e('NIP2')),
      [' |  | batch of 2 transactions whose amounts are not told: part-NIP1 part-NIP2'],
    ],
    [
      'other references of a payment',
      '',
      part(`${e2e('NIP1')}<ClrSysRef>SESSION9</ClrSysRef><ChqNb>000123</ChqNb><Prtry><Tp>X</Tp><Ref>R77</Ref></Prtry>`),
      ['NIP1 |  | SESSION9 000123 R77'],
    ],
  ])('%s', async (_what, own, parts, told) => {
    expect(await said(own, parts)).toEqual(told);
  });
});

describe('CAMT.053: what a statement says of its entries', () => {
  const bal = (kind: string, naira: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">${naira}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
  const entry = (naira: string, side: string, more = '', status = 'BOOK') =>
    `<Ntry><Amt Ccy="NGN">${naira}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>${more}</Ntry>`;
  const ENTRIES = entry('100.00', 'CRDT') + entry('50.00', 'CRDT') + entry('50.00', 'DBIT');
  const file = (summary: string, entries = ENTRIES) =>
    read(
      `<Document><BkToCstmrStmt><Stmt><Id>1</Id>${bal('OPBD', '1000.00')}${bal('CLBD', '1100.00')}${summary}${entries}</Stmt></BkToCstmrStmt></Document>`,
      { format: 'CAMT.053' },
    );
  const summary = (said: string) => `<TxsSummry>${said}</TxsSummry>`;
  const ofAll = (said: string) => summary(`<TtlNtries>${said}</TtlNtries>`);
  const ofSide = (side: 'Cdt' | 'Dbt', said: string) => summary(`<Ttl${side}Ntries>${said}</Ttl${side}Ntries>`);
  const net = (naira: string, side: string) =>
    `<TtlNetNtry><Amt>${naira}</Amt>${side === '' ? '' : `<CdtDbtInd>${side}</CdtDbtInd>`}</TtlNetNtry>`;
  const pending = entry('7.00', 'CRDT', '', 'PDNG');

  it.each([
    ['a count', ofAll('<NbOfNtries>2</NbOfNtries>'), 'count of entries: there are 3, not 2'],
    ['a sum of all', ofAll('<NbOfNtries>3</NbOfNtries><Sum>100.00</Sum>'), 'come to 200.00, not 100.00'],
    ['a net', ofAll(net('99', 'CRDT')), 'net of entries: the lines come to 100.00, not 99.00'],
    ['the sign of a net', ofAll(net('100.00', 'DBIT')), 'not -100.00'],
    ['a net as it was written before', ofAll('<TtlNetNtryAmt>99</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd>'), 'not 99'],
    ['a net of nothing', ofAll(net('0', 'CRDT')), 'not 0.00'],
    ['a count of what came in', ofSide('Cdt', '<NbOfNtries>3</NbOfNtries><Sum>150.00</Sum>'), 'there are 2, not 3'],
    ['a count of what left', ofSide('Dbt', '<NbOfNtries>0</NbOfNtries>'), 'there are 1, not 0'],
    ['a sum of what came in', ofSide('Cdt', '<Sum>100.00</Sum>'), 'total of credits: the lines come to 150.00'],
    ['a sum of what left', ofSide('Dbt', '<Sum>0</Sum>'), 'total of debits: the lines come to 50.00'],
    ['a second summary', ofSide('Dbt', '<Sum>50</Sum>') + ofSide('Dbt', '<Sum>51</Sum>'), 'come to 50.00, not 51.00'],
    ['a count that is none', ofAll('<NbOfNtries>three</NbOfNtries>'), 'NbOfNtries: not a count'],
    ['a net that is none', ofAll(net('1.505', 'CRDT')), 'not an amount'],
    ['a count beside an entry that is not booked', ofAll('<NbOfNtries>5</NbOfNtries>'), 'there are 3, not 5', pending],
    [
      'a count with, and a sum without an entry that is not booked',
      ofAll('<NbOfNtries>4</NbOfNtries><Sum>200.00</Sum>'),
      'there are 3, not 4',
      pending,
    ],
  ])('%s that does not come out refuses it', async (_what, said, told, others = '') => {
    expect(await file(said, ENTRIES + others)).toContain(told);
  });

  const READ = [[100, 50, -50], 'OPENING_AND_CLOSING'];
  it.each([
    ['all of it', ofAll(`<NbOfNtries>3</NbOfNtries><Sum>200.00</Sum>${net('100.00', 'CRDT')}`), ''],
    ['a net without a sign', ofAll(net('100.00', '')), ''],
    ['what is not booked counted, or not', ofAll('<NbOfNtries>4</NbOfNtries><Sum>207.00</Sum>'), pending],
    ['what is not booked left aside', ofAll('<NbOfNtries>3</NbOfNtries><Sum>200.00</Sum>'), pending],
    ['an entry of nothing', ofAll('<NbOfNtries>4</NbOfNtries>'), entry('0.00', 'CRDT')],
  ])('that comes out is no proof of both directions: %s', async (_what, said, others) => {
    expect(await file(said, ENTRIES + others)).toEqual([...READ, '100000 to 110000']);
  });

  it('that comes out in both directions proves it, unless it is of what is not booked too', async () => {
    const both = (credits: string) => ofSide('Cdt', `<Sum>${credits}</Sum>`) + ofSide('Dbt', '<Sum>50</Sum>');
    expect(await file(both('150.00'), ENTRIES + pending)).toEqual([...READ, 'TOTALS', '100000 to 110000']);
    expect(await file(both('157.00'), ENTRIES + pending)).toEqual([...READ, '100000 to 110000']);
  });

  const twice = (more: string) => file('', entry('100.00', 'CRDT', more));
  it.each([
    ['a direction', '<CdtDbtInd>DBIT</CdtDbtInd>'],
    ['an amount', '<Amt Ccy="NGN">5.00</Amt>'],
    ['a currency', '<Amt Ccy="USD">100.00</Amt>'],
    ['a status', '<Sts>PDNG</Sts>'],
    ['a day', '<BookgDt><Dt>2026-11-21</Dt></BookgDt>'],
    ['a day and a moment', '<BookgDt><DtTm>2026-11-21T08:00:00</DtTm></BookgDt>'],
    ['a name of the bank', '<AcctSvcrRef>A1</AcctSvcrRef><AcctSvcrRef>A2</AcctSvcrRef>'],
    [
      'the direction of a part',
      `<NtryDtls><TxDtls><CdtDbtInd>CRDT</CdtDbtInd><CdtDbtInd>DBIT</CdtDbtInd></TxDtls></NtryDtls>`,
    ],
  ])('%s that is said twice is said alike, or refused', async (_what, more) => {
    expect(await twice(more)).toContain('said more than once, and not alike');
  });

  it('what is said twice alike is said once', async () => {
    expect(await twice('<CdtDbtInd>CRDT</CdtDbtInd><Amt Ccy="NGN">100.00</Amt><Sts>BOOK</Sts>')).toEqual([
      [100],
      'OPENING_AND_CLOSING',
      '100000 to 110000',
    ]);
  });
});
