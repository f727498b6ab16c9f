import { describe, expect, it, vi } from 'vitest';
import { DomainError } from '#lib/domain-error.ts';
import { dayReader, isoDay } from '../../../src/modules/reconciliation/days.ts';
import { LINES_MAX } from '../../../src/modules/reconciliation/files/bank-file.ts';
import { type FileKind, readBankFile } from '../../../src/modules/reconciliation/files/read-bank-file.ts';

const COLUMNS = { date: 'Date', dateFormat: 'DD/MM/YYYY', narration: 'Details', reference: 'Ref' };
const DIALECT = { isInverted: false, delimiter: ',', decimalMark: '.', skipLines: 0, hasHeader: true } as const;
const TWO = { ...COLUMNS, ...DIALECT, debit: 'Debit', credit: 'Credit', balance: 'Balance' };
const ONE = { ...COLUMNS, ...DIALECT, amount: 'Amount' };

/** The amounts that are read, in naira, and what proves them; or why the file is refused. A row's D is 20 November 2026. */
async function read(content: string, kind: FileKind): Promise<unknown> {
  try {
    const { lines, provedBy } = await readBankFile(content.replaceAll(/^D(?=,)/gm, '20/11/2026'), kind);
    return [lines.map(({ amount }) => Number(amount) / 100), ...provedBy];
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
/** A text is a part of why it is refused. */
const expected = (told: unknown): unknown => (typeof told === 'string' ? expect.stringContaining(told) : told);
type Mapping = Extract<FileKind, { format: 'CSV' }>['mapping'];
const two = (rows: readonly string[], mapping: Partial<Mapping> = {}) =>
  read(['Date,Ref,Details,Debit,Credit,Balance', ...rows].join('\n'), {
    format: 'CSV',
    mapping: { ...TWO, ...mapping },
  });
const one = (rows: readonly string[], mapping: Partial<Mapping> = {}, header = 'Date,Ref,Details,Amount') =>
  read([header, ...rows].join('\n'), { format: 'CSV', mapping: { ...ONE, ...mapping } });

describe('rows of a CSV', () => {
  it.each([
    ['an LF in a file of CRLF', 'D,A,rent,,1.00,\r\nD,B,rent,,5000.00,\nD,C,rent,,2.00,\r\n', [[1, 5_000, 2]]],
    ['a CR alone', 'D,A,rent,,1.00,\rD,B,rent,,5000.00,', [[1, 5_000]]],
    ['thousands that are not quoted', 'D,A,INVOICE 4,000.50,,9000.00,', 'line 2: 7 fields, and 6'],
    ['the same in a text', 'D,A,Refund of 5,000.00,,5000.00,', 'line 2: 7 fields, and 6'],
    ['a last row that is cut', 'D,A,rent,,1.00,\n23/11/2026,B,rent,50', 'line 3: 4 fields, and 6'],
    [
      'a last row cut within a number',
      'D,A,rent,,1.00,1.00\n23/11/2026,B,rent,,50.00,5',
      'line 3, balance: 1.00 and 50.00 come to 51.00',
    ],
    ['quotation marks around two rows', 'D,A,"rent,,1.00,\nD,B,rent",,2.00,', 'line 3: a quotation mark is closed'],
    [
      'a quotation mark that opens in two rows',
      'D,A,"rent,,1.00,\nD,B,"rent,,2.00,\n',
      'line 3: a quotation mark is closed',
    ],
    ['a text over two lines', 'D,A,"rent\nof November",,1.00,', [[1]]],
    ['quotation marks within a text', 'D,A,rent of "Bola" Ade,,1.00,', [[1]]],
    ['a quotation mark of inches', 'D,A,pipe 5",,1.00,\nD,B,pipe 6",,2.00,', [[1, 2]]],
    ['a row without an amount', 'D,A,rent,,,', 'line 2: neither a debit nor a credit'],
    ['a row that goes on in the next', 'D,A,rent,,1.00,\n,,Ade,,,', 'line 3, date: missing, and the row'],
    [
      'the same among others',
      'D,A,rent,,1.00,\n,,of the month of November,,,\nD,B,rent,,2.00,',
      'line 3: a text stands among the lines',
    ],
    ['a row without its day', 'D,A,rent,,1.00,\n,B,of the month of November,,7.00,', 'line 3, date: missing'],
    [
      'what a bank says behind the last line',
      'D,A,rent,,1.00,\nPlease report any error within 14 days,,,,,\nHEAD OFFICE of the bank\n',
      [[1]],
    ],
    ['a row that is cut in its day', 'D,A,rent,,1.00,\n21/11/20', 'line 3: 1 fields, and 6'],
    ['the header again', 'D,A,rent,,1.00,\nDate,Ref,Details,Debit,Credit,Balance\nD,B,rent,,2.00,', [[1, 2]]],
    ['blank rows and the end of the statement', 'D,A,rent,,1.00,\n\n,,,,,\n*** End of Statement ***\n', [[1]]],
  ])('%s', async (_what, rows, told) => {
    expect(await two([rows])).toEqual(expected(told));
  });

  it('a file without a header, and one whose rows are of another width than its header', async () => {
    const mapping = { hasHeader: false, date: '1', reference: undefined, narration: '2', amount: '3' };
    const kind: FileKind = { format: 'CSV', mapping: { ...ONE, ...mapping } };
    expect(await read('D,rent,1.00\nD,Refund of 5,000.00,', kind)).toContain('line 2: 4 fields, and 3');
    // As many fields by chance.
    expect(await read('D,rent,1.00\nD,Refund of 5,000.00', kind)).toContain('line 2, amount: ');
    expect(await one(['D,A,rent,1.00,'])).toContain('line 2: 5 fields, and 4');
  });

  it('more lines than a file has, rows of nothing without end, and a quotation mark that swallows the rest', async () => {
    expect(await one(Array.from({ length: LINES_MAX + 1 }, () => 'D,A,rent,1.00'))).toContain('50000 lines at most');
    expect(await one([',,,\n'.repeat(100_000)])).toContain('50000 lines at most');
    expect(await one([`D,A,"${'x\n'.repeat(100_000)}`])).toContain('not CSV');
  });
});

describe('the sign of an amount', () => {
  const proof = ['D,A,charge,-50.00,,950.00', ',,Opening balance,,,1000.00', ',,Closing balance,,,950.00'];
  it.each([
    ['a minus in a column of debits', ['D,A,rent,-50.00,,'], 'line 2, debit: a minus'],
    [
      'the same where the balances prove what it means',
      [proof[1], proof[0], proof[2]],
      [[-50], 'OPENING_AND_CLOSING', 'BALANCES'],
    ],
    [
      'the same where they prove the other',
      [proof[1], 'D,A,back,-50.00,,1050.00', ',,Closing balance,,,1050.00'],
      'not 1050.00',
    ],
    ['brackets in a column of debits', ['D,A,rent,(50.00),,'], 'line 2, debit: a minus'],
    ['a plus in a column of debits', ['D,A,rent,+50.00,,'], 'line 2, debit: its sign says that it came in'],
    ['a minus in a column of credits', ['D,A,rent,,-50.00,'], 'line 2, credit: its sign says that it left'],
    ['DR in a column of credits', ['D,A,rent,,50.00 DR,'], 'line 2, credit: called a debit'],
    ['DB in a column of credits', ['D,A,rent,,50.00DB,'], 'line 2, credit: called a debit'],
    ['CR in a column of debits', ['D,A,rent,50.00 CR,,'], 'line 2, debit: called a credit'],
    ['DR and CR where they belong', ['D,A,rent,50.00 DR,,', 'D,B,rent,,70.00 Cr.,'], [[-50, 70]]],
    ['an amount and a zero', ['D,A,rent,50.00,0.00,', 'D,B,rent,-,70.00,'], [[-50, 70]]],
  ])('%s', async (_what, rows, told) => {
    expect(await two(rows as string[])).toEqual(expected(told));
  });

  it.each([
    ['-50.00', false, [[-50]]],
    ['50.00 DR', false, [[-50]]],
    ['-50.00 DR', false, [[-50]]],
    ['-50.00 CR', false, 'called a credit, and its sign says otherwise'],
    ['+50.00 DR', false, 'called a debit, and its sign says otherwise'],
    ['(50.00) CR', false, 'called a credit, and its sign says otherwise'],
    ['500.00', true, [[-500]]],
    ['500.00 DR', true, [[-500]]],
    ['500.00 CR', true, 'called a credit, and its sign says otherwise'],
    ['-500.00 CR', true, [[500]]],
    ['-500.00 DR', true, 'called a debit, and its sign says otherwise'],
    ['+-50.00', false, 'not an amount'],
    ['-50.00-', false, [[-50]]],
    ['+50.00-', false, 'not an amount'],
  ])('%s in one column, inverted: %s', async (amount, isInverted, told) => {
    expect(await one([`D,A,rent,${amount}`], { isInverted })).toEqual(expected(told));
  });

  it('stands in a column of its own, which the amount may not contradict', async () => {
    const header = 'Date,Ref,Details,Amount,DR/CR,Currency';
    expect(await one(['D,A,rent,5.00,DR,NGN', 'D,B,rent,7.00,C,'], {}, header)).toEqual([[-5, 7]]);
    expect(await one(['D,A,rent,-5.00,CR,NGN'], {}, header)).toContain('its sign says otherwise');
    expect(await one(['D,A,rent,5.00 CR,DR,NGN'], {}, header)).toContain('called a credit and a debit');
    expect(await one(['D,A,rent,5.00,XX,NGN'], {}, header)).toContain('neither debit nor credit: XX');
    expect(await one(['D,A,rent,5.00,CR,USD'], {}, header)).toContain('line 2, currency: the currency is USD');
  });

  it('that the balance contradicts is refused, and a file of two lines is believed in neither order without its opening', async () => {
    const wrong = ['D,A,rent,,100.00,1100.00', 'D,B,rent,,100.00,1000.00'];
    expect(await two([',,Opening balance,,,1000.00', ...wrong])).toContain(
      'line 4, balance: 1100.00 and 100.00 come to 1200.00',
    );
    expect(await two(wrong)).toEqual([[100, 100], 'BALANCES']);
    expect(await two([...wrong, 'D,C,rent,,5.00,1005.00'])).toContain('line 3, balance');
  });
});

describe('amounts', () => {
  it.each([
    ['N1,000.00', 1_000],
    ['n 1,000.00', 1_000],
    ['-N1,000.00', -1_000],
    ['N-1,000.00', -1_000],
    ['(N1,000.00)', -1_000],
    ['#1,000.00', 1_000],
    ['₦1,000.00', 1_000],
    ['NGN 1,000.00', 1_000],
    ['1,000.00 NGN', 1_000],
    ['1\u00A0000.00', 1_000],
    ['\u00A01\u202F000\u202F000.50\u00A0', 1_000_000.5],
    ['1,000.00\u00A0DR', -1_000],
    ['−1,000.00', -1_000],
    ['1000.0000', 1_000],
    ['1,000.5', 1_000.5],
    ['.50', undefined],
    ['1.000', undefined],
    ['1,00.00', undefined],
    ['000.50', undefined],
    ['0.50', 0.5],
    ['1,000 000.00', undefined],
    ['1e3', undefined],
    ['$1,000.00', undefined],
    ['1,000.00 USD', undefined],
    ['NaN', undefined],
    ['N', undefined],
    ['', undefined],
  ])('%j is %s', async (written, naira) => {
    const told = naira === undefined ? 'line 2, amount: not an amount of at most two decimals' : [[naira]];
    expect(await one([`D,A,rent,"${written}"`])).toEqual(expected(told));
  });
});

describe('what a CSV says of itself', () => {
  const lines = ['D,A,rent,,50.00,', 'D,B,rent,20.00,,'];
  it.each([
    ['totals', [...lines, ',,TOTAL,20.00,50.00,'], [[50, -20], 'TOTALS']],
    ['other totals', [...lines, ',,Total:,20.00,50.50,'], 'line 4, total: the lines come to 50.00'],
    ['totals by name', [...lines, ',,Total Debits,20.00,,', ',,Total Credits,50.00,,'], [[50, -20], 'TOTALS']],
    ['a total of one side', [...lines, ',,Total Credit,,50.00,'], [[50, -20]]],
    [
      'totals of pages and of all',
      [lines[0], ',,Page total,,50.00,', lines[1], ',,Sub-total,20.00,0.00,', ',,Grand Total,20.00,50.00,'],
      [[50, -20], 'TOTALS'],
    ],
    [
      'a page whose total is another one',
      [lines[0], ',,Page total,,51.00,', lines[1]],
      'line 3, total: the lines come to 50.00',
    ],
    ['an opening row without a date', [',,Balance B/F,,,100.00', ...lines], [[50, -20]]],
    [
      'opening and closing',
      [',,Balance B/F,,,100.00', ...lines, ',,Balance C/F,,,130.00'],
      [[50, -20], 'OPENING_AND_CLOSING'],
    ],
    [
      'another closing',
      [',,Balance B/F,,,100.00', ...lines, ',,Balance C/F,,,131.00'],
      '100.00 and 30.00 come to 130.00, not 131.00',
    ],
    [
      'an opening with a date, as a credit',
      ['D,,Opening Balance,,100.00,100.00', ...lines, ',,Closing balance as at 20 Nov 2026,,130.00,'],
      [[50, -20], 'OPENING_AND_CLOSING'],
    ],
    [
      'an opening that is said in two ways',
      [',,Opening Balance,,100.00,150.00', ...lines],
      'line 2: the opening balance is said',
    ],
    [
      'a second opening',
      [',,Opening balance,,,100.00', ...lines, ',,Opening balance,,,130.00'],
      'line 5: a second opening balance',
    ],
    [
      'an opening among the lines',
      [lines[0], ',,Opening balance,,,100.00', lines[1]],
      'line 3: the opening balance stands among the lines',
    ],
    ['a payment at Total', ['D,A,TOTAL,20.00,,', lines[0]], [[-20, 50]]],
    [
      'a balance once a day',
      ['19/11/2026,A,rent,,50.00,', '19/11/2026,B,rent,20.00,,130.00', 'D,C,rent,,1.00,131.00'],
      [[50, -20, 1], 'BALANCES'],
    ],
    [
      'newest day first, oldest line first',
      [
        'D,C,rent,,1.00,131.00',
        'D,D,rent,,2.00,133.00',
        '19/11/2026,A,rent,,50.00,150.00',
        '19/11/2026,B,rent,20.00,,130.00',
      ],
      [[1, 2, 50, -20], 'BALANCES'],
    ],
    [
      'a balance that is overdrawn',
      ['D,A,rent,50.00,,20.00 DR', 'D,B,rent,5.00,,(25.00)', 'D,C,rent,,30.00,5.00 CR'],
      [[-50, -5, 30], 'BALANCES'],
    ],
    ['a balance with two signs', ['D,A,rent,50.00,,-20.00 CR'], 'line 2, balance: not an amount'],
  ])('%s', async (_what, rows, told) => {
    expect(await two(rows as string[])).toEqual(expected(told));
  });

  it('before its header', async () => {
    const before = [
      'GTBank,,Statement of account',
      'Opening Balance,"1,000.00"',
      '"Total Debit: 20.00",Total Credit:,50.00',
      'Closing Balance,"1,030.00",',
    ];
    const content = [...before, 'Date,Ref,Details,Debit,Credit,Balance', ...lines].join('\r\n');
    const kind = (skipLines: number): FileKind => ({ format: 'CSV', mapping: { ...TWO, skipLines } });
    expect(await read(content, kind(4))).toEqual([[50, -20], 'OPENING_AND_CLOSING', 'TOTALS']);
    expect(await read(content.replace('1,030', '1,040'), kind(4))).toContain('closing balance: ');
    expect(await read(content, kind(0))).toContain('no one column is called');
  });
});

describe('MT940', () => {
  const file = (...rows: string[]) =>
    [':20:S1', ':25:0011223344', ':28C:7/1', ':60F:C261119NGN100,00', ...rows].join('\r\n');
  const line = ':61:2611201120C50,00NTRFNIP26//FT99';
  const end = ':62F:C261120NGN150,00';
  const said = async (content: string) => {
    const { lines } = await readBankFile(content, { format: 'MT940' });
    return lines.map(({ reference, bankReference, narration }) => [reference, bankReference, narration].join(' | '));
  };
  const full = 'x'.repeat(65);
  it.each([
    ['rows of field 86', [':86:NIP FROM BOLA', 'REF NIP123', end], 'NIP26 | FT99 | NIP FROM BOLA REF NIP123'],
    ['a full row, which goes on', [`:86:${full}`, 'yz', end], `NIP26 | FT99 | ${full}yz`],
    ['a second field 86', [':86:NIP FROM BOLA', ':86:REF NIP123', end], 'NIP26 | FT99 | NIP FROM BOLA REF NIP123'],
    [
      'a row that begins with a hyphen',
      [':86:NIP FROM', '-BOLA ADE', '- LAGOS', end],
      'NIP26 | FT99 | NIP FROM -BOLA ADE - LAGOS',
    ],
    ['a hyphen alone', [':86:NIP FROM', '-', 'BOLA', end], 'NIP26 | FT99 | NIP FROM - BOLA'],
    ['a time that is broken', [':86:PAID AT 10', ':26:37 TODAY', end], 'NIP26 | FT99 | PAID AT 10 :26:37 TODAY'],
    ['parts', [':86:166?00TRANSFER?20RENT?21NOVEMBER?32BOLA', end], 'NIP26 | FT99 | 166 TRANSFER RENT NOVEMBER BOLA'],
    ['field NS', [':NS:15ERGO', '16lep', end], 'NIP26 | FT99 | 15ERGO 16lep'],
  ])('%s', async (_what, rows, told) => {
    expect(await said(file(line, ...rows))).toEqual([told]);
  });

  it.each([
    ['NIP/26/', 'NIP/26/ |  | '],
    ['N/A', ' |  | '],
    ['0', ' |  | '],
    ['000000', ' |  | '],
    ['NOT PROVIDED', ' |  | '],
    ['NOTPROVIDED//NONREF', ' |  | '],
    ['EREF//A//B', ' | A//B | '],
    ['NIP26\r\n//FT99', 'NIP26 | FT99 | '],
    ['NIP26\r\nmore', 'NIP26 |  | more'],
  ])('the reference %j', async (written, told) => {
    expect(await said(file(`:61:2611201120C50,00NTRF${written}`, end))).toEqual([told]);
  });

  it.each([
    ['SOH, ETX and blocks', `\u0001{1:F01GTBINGLA}{2:O940}{4:\r\n${file(line, end)}\r\n-}{5:{CHK:1}}\u0003\r\n`],
    ['the end behind the last field', file(line, `${end}-}`)],
    ['the end and a trailer behind it', file(line, `${end}-}{5:{CHK:0123}}`)],
    ['the block and the first field in one row', `{1:F01GTBINGLA}{4:${file(line, end)}`],
    ['no field 20', file(line, end).replace(':20:S1\r\n', '')],
    ['rows before the first field', `GTBINGLA\r\n940\r\n${file(line, end)}\r\n-\r\n`],
    ['the end of ING', `${file(line, end)}\r\n-XXX\r\n`],
    ['mixed line ends', file(line, end).replace('\r\n', '\n').replace('\r\n', '\r')],
    ['a break within field 61', file(':61:2611201120C50', ',00NTRFNIP26', end)],
    ['a break behind the type', file(':61:2611201120C5', '0,00NT', 'RFNIP26', end)],
    ['a type of blanks', file(':61:2611201120C50,00S   X', end)],
    ['a blank before the type', file(':61:2611201120C50,00 NTRFX', end)],
    ['no type', file(':61:2611201120CN50,00//FT99', end)],
    ['the 30th of February as value date', file(':61:2602301120C50,00NTRFX', end)],
    ['an amount without a comma', file(':61:2611201120C50NTRFX', end)],
    ['a reversal of a debit', file(':61:2611201120RD50,00NTRFX', end)],
  ])('%s', async (_what, content) => {
    const { lines, account, closing } = await readBankFile(content, { format: 'MT940' });
    expect([lines.map(({ amount }) => amount), account, closing]).toEqual([[5_000n], '0011223344', 15_000n]);
    expect(lines[0]).toMatchObject({ balance: 15_000n, statement: '7/1' });
  });

  it.each([
    ['a field that is none', file(line.replace(':61:', ':16:'), end), 'line 5, :16:: no field of MT940'],
    ['an end within', file(line, '-}', 'BOLA', end), 'line 7: not a field of MT940'],
    ['a row behind the end', file(line, end, '-', 'BOLA'), 'line 8: not a field of MT940'],
    ['a second opening balance', file(':60F:C261119NGN100,00', line, end), 'line 5, :60F:: a second opening balance'],
    ['a second closing balance', file(line, end, end), 'a second closing balance'],
    ['a line behind the closing balance', file(line, end, line), 'stands behind the closing balance'],
    ['the 30th of November as a value date', file(':61:261131C50,00NTRFX', end), 'not a day written as YYMMDD'],
    ['three decimals', file(':61:261120C50,000NTRFX', end), 'not an amount of at most two decimals'],
    ['another currency', file(line, end.replace('NGN', 'USD')), 'the currency is USD'],
    [
      'a reference that is none of any bank',
      file(`:61:261120C50,00NTRF${'9'.repeat(300)}`, end),
      'longer than 200 characters',
    ],
  ])('%s is refused', async (_what, content, told) => {
    expect(await read(content, { format: 'MT940' })).toContain(told);
  });

  it('the number of a statement without field 20 begins with what tells its account', async () => {
    const next = file(line, ':62F:C261120NGN200,00')
      .replace(':20:S1\r\n', '')
      .replace('100,00', '150,00')
      .replace('7/1', '8/1');
    const { lines } = await readBankFile(`${file(line, end)}\r\n${next}`, { format: 'MT940' });
    expect(lines.map(({ statement, balance }) => [statement, balance])).toEqual([
      ['7/1', 15_000n],
      ['8/1', 20_000n],
    ]);
  });
});

describe('CAMT.053', () => {
  const bal = (kind: string, naira: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">${naira}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
  const entry = (details: string, more = '') =>
    `<Ntry><NtryRef>1</NtryRef><Amt Ccy="NGN">50.00000</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-11-19T23:30:00Z</DtTm></BookgDt>${more}<NtryDtls>${details}</NtryDtls></Ntry>`;
  const file = (entries: string, before = '') =>
    `<Stmt><Id>S1</Id><ElctrncSeqNb>42</ElctrncSeqNb>${bal('OPBD', '100')}${bal('CLBD', '150')}${before}${entries}</Stmt>`;
  const part = (reference: string, more = '') =>
    `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${more}</TxDtls>`;
  const amount = (naira: string) => `<Amt Ccy="NGN">${naira}</Amt>`;
  const lines = async (content: string) => {
    const told = await readBankFile(content, { format: 'CAMT.053' });
    return told.lines.map(({ amount: kobo, reference, bankReference, narration }) => [
      kobo,
      reference,
      bankReference,
      narration,
    ]);
  };

  const UNTOLD = 'entry-1 batch of 2 transactions whose amounts are not told: part-NIP1 part-NIP2';

  it.each([
    ['one payment', entry(part('NIP1')), [[5_000n, 'NIP1', '', 'entry-1']]],
    [
      'a batch whose parts have amounts',
      entry(part('NIP1', amount('20.00')) + part('NIP2', amount('30.00'))),
      [
        [2_000n, 'NIP1', '', 'entry-1'],
        [3_000n, 'NIP2', '', 'entry-1'],
      ],
    ],
    [
      'a batch whose parts have none',
      entry(part('NIP1') + part('NIP2'), '<AcctSvcrRef>FT9</AcctSvcrRef>'),
      [[5_000n, '', 'FT9', UNTOLD]],
    ],
    [
      'a batch of which one part has none',
      entry(part('NIP1', amount('20.00')) + part('NIP2')),
      [[5_000n, '', '', UNTOLD]],
    ],
    [
      'a batch whose parts come to something else',
      entry(part('NIP1', amount('20.00')) + part('NIP2', amount('20.00'))),
      [[5_000n, '', '', UNTOLD]],
    ],
    [
      'a batch of more than is told',
      entry(`<Btch><NbOfTxs>3</NbOfTxs></Btch>${part('NIP1')}`),
      [[5_000n, '', '', 'entry-1 batch of 3 transactions whose amounts are not told: part-NIP1']],
    ],
    ['placeholders', entry(part('NOT PROVIDED')), [[5_000n, '', '', 'entry-1']]],
  ])('%s', async (_what, entries, told) => {
    expect(await lines(file(entries))).toEqual(told);
  });

  it('the day of a moment is that in Lagos, and totals prove', async () => {
    const totals = (naira: string) =>
      `<TxsSummry><TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>${naira}</Sum></TtlCdtNtries><TtlDbtNtries><Sum>0</Sum></TtlDbtNtries></TxsSummry>`;
    const told = await readBankFile(file(entry(part('NIP1')), totals('50')), { format: 'CAMT.053' });
    expect(told).toMatchObject({ from: '2026-11-20', provedBy: ['OPENING_AND_CLOSING', 'TOTALS'] });
    expect(told.lines[0]).toMatchObject({ day: '2026-11-20', statement: '42', balance: 15_000n });
    expect(await read(file(entry(part('NIP1')), totals('51')), { format: 'CAMT.053' })).toContain(
      'total of credits: the lines come to 50.00',
    );
  });

  it.each([
    [
      'a payment of the other direction',
      entry(part('NIP1', '<CdtDbtInd>DBIT</CdtDbtInd>')),
      'say otherwise of the direction',
    ],
    ['another state', entry('').replace('BOOK', 'BOK'), 'Sts: must be BOOK, PDNG, INFO or FUTR'],
    ['a second closing balance', entry('') + bal('CLBD', '160'), 'a second balance CLBD'],
    ['a decimal more', entry('').replace('50.00000', '50.001'), 'not an amount'],
  ])('%s is refused', async (_what, entries, told) => {
    expect(await read(file(entries), { format: 'CAMT.053' })).toContain(told);
  });
});

describe('a day', () => {
  it.each([
    ['DD/MM/YYYY', '20/11/2026', '2026-11-20'],
    ['DD/MM/YYYY', '20/11/2026 23:30', '2026-11-20'],
    ['DD/MM/YYYY', '20/11/2026 11:30 PM', '2026-11-20'],
    ['YYYY-MM-DD', '2026-11-19T23:30:00Z', '2026-11-20'],
    ['YYYY-MM-DD', '2026-11-19T23:30:00.000+00:00', '2026-11-20'],
    ['YYYY-MM-DD', '2026-11-19 23:30:00 UTC', '2026-11-20'],
    ['YYYY-MM-DD', '2026-11-20T00:30:00+0100', '2026-11-20'],
    ['YYYY-MM-DD', '2026-11-20T00:30:00+03:00', '2026-11-19'],
    ['YYYY-MM-DD', '2026-11-20T00:30:00WAT', '2026-11-20'],
    ['D-MMM-YY', '2-Nov-26', '2026-11-02'],
    ['DD/MM/YYYY', '20/11/2026 about noon', undefined],
    ['DD/MM/YYYY', '20/11/2026 25:00', undefined],
    ['DD/MM/YYYY', '31/11/2026', undefined],
    ['DD/MM/YYYY', `20/11/2026 ${' '.repeat(100)}`, undefined],
  ])('by %s, %j is %s', (format, written, day) => {
    expect(dayReader(format)(written)).toBe(day);
  });

  it('of ISO 8601', () => {
    expect(
      [
        '2026-11-20',
        '2026-11-20Z',
        '2026-11-20+01:00',
        '2026-11-19T23:00:00Z',
        '2026-11-20T10:00:00',
        '2026-02-30',
        '',
      ].map(isoDay),
    ).toEqual(['2026-11-20', '2026-11-20', '2026-11-20', '2026-11-20', '2026-11-20', undefined, undefined]);
  });
});

it('a large file is read a piece at a time, in every format', async () => {
  const count = 4_000;
  const csv = [
    'Date,Ref,Details,Amount',
    ...Array.from({ length: count }, (_, at) => `20/11/2026,R${at},rent of November for shop ${at},1.00`),
  ].join('\n');
  const mt940 = [
    ':20:S',
    ':60F:C261119NGN0,00',
    ...Array.from({ length: count }, (_, at) => `:61:2611201120C1,00NTRFR${at}\n:86:rent of November\n-for shop ${at}`),
    `:62F:C261120NGN${count},00`,
  ].join('\n');
  const parts = Array.from(
    { length: 2_000 },
    (_, at) => `<TxDtls><Refs><EndToEndId>R${at}</EndToEndId></Refs><Amt Ccy="NGN">1.00</Amt></TxDtls>`,
  );
  const balance = (kind: string, naira: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">${naira}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
  const camt = `<Stmt><Id>S</Id>${balance('OPBD', 0)}${balance('CLBD', 2_000)}<Ntry><Amt Ccy="NGN">2000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls>${parts.join('')}</NtryDtls></Ntry></Stmt>`;
  const kinds: [string, FileKind, number][] = [
    [csv, { format: 'CSV', mapping: ONE }, count],
    [mt940, { format: 'MT940' }, count],
    [camt, { format: 'CAMT.053' }, 2_000],
  ];
  for (const [content, kind, lines] of kinds) {
    const turn = vi.fn<() => void>(() => void (next = setImmediate(turn)));
    let next = setImmediate(turn);
    expect((await readBankFile(content, kind)).lines.length).toBe(lines);
    clearImmediate(next);
    expect(turn.mock.calls.length).toBeGreaterThan(lines / 500);
  }
});
