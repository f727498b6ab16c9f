import { beforeAll, describe, expect, it } from 'vitest';
import { businessDay } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { importOf, MAPPING } from '../../support/bank-files.ts';
import { operationsOf, readDocument } from '../../support/described.ts';
import { auditOf } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newReference, newWallet, paymentsOf } from '../../support/wallets.ts';

const server = useApp();
const dayIn = (days: number): string => businessDay(new Date(Date.now() + days * 86_400_000));

describe('GET /reconciliation/imports', () => {
  const list = (query: string) => server.operate('GET', `/reconciliation/imports?${query}`);
  const load = (rail: string) =>
    server.operate(
      'POST',
      '/reconciliation/imports',
      importOf(rail, 'MT940', [{ day: '2026-11-20', amount: -5n, reference: 'R' }]),
    );

  it('files, newest first, of all rails or one', async () => {
    const [one, other] = [(await load('PAYOUT')).json().id, (await load('BANK')).json().id];
    const all = (await list('')).json();
    expect(all.items).toMatchObject([
      {
        id: other,
        rail: 'BANK',
        format: 'MT940',
        from: '2026-11-20',
        to: '2026-11-20',
        debits: -0.05,
        importedBy: 'operator:root',
      },
      { id: one, rail: 'PAYOUT' },
    ]);
    expect((await list('rail=PAYOUT')).json().items).toMatchObject([{ id: one }]);
  });
});

it('POST /reconciliation/imports takes the example of its document', async () => {
  const described = operationsOf(await readDocument(server, '/operator/v1/openapi.json')).find(
    ({ operation }) => operation.operationId === 'importBankFile',
  );
  const example = described?.operation.requestBody?.content['application/json']?.example as object;
  const imported = await server.operate('POST', '/reconciliation/imports', example);
  expect([imported.statusCode, imported.json()]).toMatchObject([
    201,
    { lines: 1, credits: 1500, provedBy: ['CONFIRMATION'] },
  ]);
});

describe('GET /reconciliation/imports/{id}', () => {
  const read = (id: string) => server.operate('GET', `/reconciliation/imports/${id}`);

  it('a file, with what its difference to our books is made of', async () => {
    const lines = [
      { day: '2026-11-20', amount: 500n, reference: 'R' },
      { day: '2026-11-20', amount: 500n, reference: 'R' },
    ];
    const made = (await server.operate('POST', '/reconciliation/imports', importOf('TERMINAL', 'CSV', lines))).json();
    const answer = await read(made.id);
    expect([answer.statusCode, answer.json()]).toEqual([200, made]);
    expect(made.summary).toEqual({
      bank: 10,
      ours: 0,
      difference: 10,
      differences: expect.arrayContaining([
        { of: 'THEIRS_ALONE', count: 1, amount: 5 },
        { of: 'DUPLICATE', count: 1, amount: 5 },
      ]),
      matched: 0,
      repeated: 0,
      ties: true,
    });
  });
});

describe('POST /reconciliation/imports', () => {
  const day = businessDay(new Date());
  const send = (body: object) => server.operate('POST', '/reconciliation/imports', body);
  const items = async (importId: string) =>
    (await server.operate('GET', `/reconciliation/items?importId=${importId}`)).json().items;

  let nuban: string;
  beforeAll(async () => {
    ({ nuban } = await newWallet(server, await server.newPartner()));
  });
  const pay = async (amount: number): Promise<string> => {
    const reference = `NIP-${newReference()}`;
    await paymentsOf(server).inbound(nuban, { amount, reference });
    return reference;
  };

  it('a payment that the bank has too is matched, and opening, lines and closing tie', async () => {
    const reference = await pay(1500.5);
    const answer = await send(importOf('INBOUND', 'CAMT.053', [{ day, amount: 150_050n, reference }]));
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      {
        account: '0011223344',
        lines: 1,
        opening: 10_000_000,
        closing: 10_001_500.5,
        summary: { matched: 1, difference: 0, differences: [], ties: true },
      },
    ]);
    const { id } = answer.json();
    expect(await items(id)).toMatchObject([{ status: 'MATCHED', bankAmount: 1500.5, ourAmount: 1500.5, reference }]);
    const [entry] = await auditOf(server, id);
    expect(entry).toMatchObject({ action: 'reconciliation.import', after: { rail: 'INBOUND', lines: 1 } });
  });

  it('what was ours alone is matched by a later file, under the id that it had', async () => {
    const [first, late] = [await pay(10), await pay(20)];
    const one = (await send(importOf('INBOUND', 'MT940', [{ day, amount: 1_000n, reference: first }]))).json();
    const [alone] = (await items(one.id)).filter(({ status }: { status: string }) => status === 'OURS_ALONE');
    expect(alone).toMatchObject({ ourAmount: 20, difference: -20 });
    const two = (await send(importOf('INBOUND', 'CSV', [{ day, amount: 2_000n, reference: late }]))).json();
    expect(await items(two.id)).toMatchObject([{ id: alone.id, status: 'MATCHED', bankAmount: 20 }]);
    const now = (await server.operate('GET', `/reconciliation/imports/${one.id}`)).json();
    expect(now.summary).toMatchObject({ ties: true, differences: [{ of: 'OTHER_DAYS' }] });
  });

  it('a line of an earlier file is not counted again, and a second one beside it is a duplicate', async () => {
    const reference = await pay(30);
    const line = { day, amount: 3_000n, reference };
    await send(importOf('INBOUND', 'CSV', [line]));
    const { id, summary } = (await send(importOf('INBOUND', 'CSV', [line, line]))).json();
    expect(summary).toMatchObject({ repeated: 1, ties: true });
    expect((await items(id)).map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'DUPLICATE',
      'REPEATED',
    ]);
  });

  it('of bytes in another charset, with columns that a mapping names', async () => {
    const content = Buffer.from('Statement\nWann;Betrag;Wof\xfcr\n23.11.2026;-1.234,50;Caf\xe9\n', 'latin1');
    const mapping = {
      date: 'Wann',
      dateFormat: 'DD.MM.YYYY',
      amount: 'Betrag',
      narration: 'Wofür',
      delimiter: ';',
      decimalMark: ',',
      skipLines: 1,
    };
    const body = {
      rail: 'BANK',
      format: 'CSV',
      content: content.toString('base64'),
      encoding: 'base64',
      charset: 'windows-1252',
      mapping,
      confirm: { count: 1, credits: 0, debits: 1234.5 },
    };
    const answer = await send(body);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      { from: '2026-11-23', debits: -1234.5, provedBy: ['CONFIRMATION'] },
    ]);
    expect(await items(answer.json().id)).toMatchObject([{ status: 'THEIRS_ALONE', narration: 'Café', line: 3 }]);
  });

  const fileOfRows = (...lines: string[]) => ['Date,Ref,Details,Debit,Credit,Balance', ...lines, ''].join('\n');
  const sendCsv = (content: string, more: object = {}, rail = 'TERMINAL') =>
    send({ rail, format: 'CSV', content, mapping: MAPPING, ...more });

  describe('409 unless something proves a file', () => {
    it('nothing: it is kept once an operator has confirmed count and totals, and the audit log says so', async () => {
      const content = fileOfRows('20/11/2026,A1,rent,,50.00,', '20/11/2026,A2,charge,3.50,,');
      const refused = await sendCsv(content);
      expect(refusalOf(refused)).toEqual([409, 'BANK_FILE_UNPROVED']);
      expect(refused.json().errors).toEqual(['count', 'credits', 'debits'].map((one) => `confirm.${one}: missing`));
      // What is to be looked up at the bank is not told.
      expect(refused.json().message).not.toMatch(/50|3\.5/);
      const oneSided = await sendCsv(fileOfRows('20/11/2026,A1,rent,,50.00,'));
      expect(oneSided.json().message).toContain('nothing proves the file, and none of its lines left: ');
      const refuseWrong = async (): Promise<void> => {
        for (const [wrong, error] of [
          [{ count: 3, credits: 50, debits: 3.5 }, 'confirm.count: the file has fewer lines than that'],
          [{ count: 2, credits: 50, debits: 3.05 }, 'confirm.debits: the lines of the file come to more than that'],
        ] as const) {
          const answer = await sendCsv(content, { confirm: wrong });
          expect([...refusalOf(answer), answer.json().message]).toEqual([400, 'BANK_FILE_DOES_NOT_TIE', error]);
        }
      };
      await refuseWrong();
      const confirm = { count: 2, credits: 50, debits: 3.5 };
      const kept = await sendCsv(content, { confirm });
      await refuseWrong();
      expect(await sendCsv(content, { confirm })).toMatchObject({ statusCode: 200 });
      expect([kept.statusCode, kept.json()]).toMatchObject([
        201,
        { provedBy: ['CONFIRMATION'], summary: { ties: true } },
      ]);
      expect((await sendCsv(content)).json().id).toBe(kept.json().id);
      const [entry] = await auditOf(server, kept.json().id);
      expect(entry).toMatchObject({ after: { provedBy: ['CONFIRMATION'] } });
    });

    it.each([['2069-11-20'], ['2030-01-01'], [dayIn(12)]])('nothing of a day that is yet to come: %s', async (late) => {
      const line = { day: late, amount: 500n, reference: newReference() };
      for (const format of ['CSV', 'CAMT.053', 'MT940'] as const) {
        const answer = await server.operate('POST', '/reconciliation/imports', importOf('BANK', format, [line]));
        expect(refusalOf(answer)).toEqual([400, 'BANK_FILE_UNREADABLE']);
        expect(answer.json().message).toContain(`the day ${late} is yet to come`);
      }
    });

    it('a line whose value is of the days after the weekend', async () => {
      const line = { day: dayIn(3), amount: 500n, reference: newReference() };
      const answer = await server.operate('POST', '/reconciliation/imports', importOf('PAYOUT', 'MT940', [line]));
      expect(answer.statusCode).toBe(201);
    });

    it('its balances, once the first of them is what an earlier file closed with', async () => {
      const first = fileOfRows('20/11/2026,B1,rent,,50.00,150.00', '20/11/2026,B2,rent,,50.00,200.00');
      expect(refusalOf(await sendCsv(first, {}, 'GATEWAY'))).toEqual([409, 'BANK_FILE_UNPROVED']);
      const confirm = { count: 2, credits: 100, debits: 0 };
      const kept = await sendCsv(first, { confirm }, 'GATEWAY');
      expect(kept.json()).toMatchObject({ opening: 100, closing: 200, provedBy: ['BALANCES', 'CONFIRMATION'] });
      const next = await sendCsv(fileOfRows('21/11/2026,B3,rent,30.00,,170.00'), {}, 'GATEWAY');
      expect([next.statusCode, next.json()]).toMatchObject([201, { provedBy: ['BALANCES', 'EARLIER_BALANCE'] }]);
      // One between the two was lost.
      const gap = await sendCsv(fileOfRows('23/11/2026,B5,rent,30.00,,100.00'), {}, 'GATEWAY');
      expect(refusalOf(gap)).toEqual([409, 'BANK_FILE_UNPROVED']);
    });

    it('no balance that stands before its last lines: what these come to is no balance of the next file either', async () => {
      const first = fileOfRows(
        ',,Opening balance,,,1000.00',
        '26/11/2026,T0,x,,100.00,',
        ',,Closing balance,,,1100.00',
      );
      expect((await sendCsv(first, {}, 'BANK')).json()).toMatchObject({ closing: 1100 });
      const [known, tail] = ['27/11/2026,T1,y,,50.00,1150.00', '28/11/2026,T3,w,,9000.00,'];
      const cut = fileOfRows(known, tail);
      expect(refusalOf(await sendCsv(cut, {}, 'BANK'))).toEqual([409, 'BANK_FILE_UNPROVED']);
      const unsure = fileOfRows(known, '27/11/2026,T2,z,-70.00,,', tail);
      expect(refusalOf(await sendCsv(unsure, {}, 'BANK'))).toEqual([400, 'BANK_FILE_UNREADABLE']);
      const kept = await sendCsv(cut, { confirm: { count: 2, credits: 9050, debits: 0 } }, 'BANK');
      expect(kept.json()).toMatchObject({ provedBy: ['CONFIRMATION'], summary: { ties: true } });
      expect(kept.json()).not.toHaveProperty('closing');
      const next = fileOfRows('29/11/2026,T4,y,,1.00,10151.00');
      expect(refusalOf(await sendCsv(next, {}, 'BANK'))).toEqual([409, 'BANK_FILE_UNPROVED']);
      const whole = await sendCsv(fileOfRows(known, '28/11/2026,T3,w,,9000.00,10150.00'), {}, 'BANK');
      expect(whole.json()).toMatchObject({ provedBy: ['BALANCES', 'EARLIER_BALANCE'], closing: 10150 });
    });

    it('balances of lines that may stand in either order, unless an earlier file tells which: they are none of the next file', async () => {
      const either = fileOfRows('20/11/2026,E1,x,,100.00,200.00', '20/11/2026,E2,y,100.00,,100.00');
      const kept = await sendCsv(either, { confirm: { count: 2, credits: 100, debits: 100 } }, 'COLLECTION');
      expect(kept.json()).toMatchObject({ provedBy: ['BALANCES', 'CONFIRMATION'], summary: { ties: true } });
      expect(kept.json()).not.toHaveProperty('closing');
      const next = fileOfRows('21/11/2026,E3,x,,1.00,101.00');
      expect(refusalOf(await sendCsv(next, {}, 'COLLECTION'))).toEqual([409, 'BANK_FILE_UNPROVED']);
    });

    it('opening and closing balance, or totals', async () => {
      const ends = fileOfRows(
        '20/11/2026,C0,Opening Balance,,,10.00',
        '20/11/2026,C1,rent,,50.00,',
        ',,Closing Balance,,,60.00',
      );
      expect((await sendCsv(ends)).json()).toMatchObject({ provedBy: ['OPENING_AND_CLOSING'], lines: 1, closing: 60 });
      const totals = fileOfRows('20/11/2026,D1,rent,,50.00,', '20/11/2026,D2,rent,5.00,,', ',,TOTAL,5.00,50.00,');
      expect((await sendCsv(totals)).json()).toMatchObject({ provedBy: ['TOTALS'], lines: 2, summary: { ties: true } });
    });
  });

  describe('a line that says the same as one of an earlier file', () => {
    const same = '20/11/2026,,SMS CHARGE,4.00,';
    const file = (opening: number, ...lines: string[]) => {
      let balance = opening;
      const said = lines.map((line) => `${line},${((balance -= 4)).toFixed(2)}`);
      return fileOfRows(`,,Opening balance,,,${opening}.00`, ...said, `,,Closing balance,,,${balance}.00`);
    };
    const statuses = async (id: string) => (await items(id)).map(({ status }: { status: string }) => status).toSorted();

    it('is the same if the account held the same after it, and another one if not', async () => {
      const first = (await sendCsv(file(100, same, same), {}, 'PAYOUT')).json();
      expect(first.provedBy).toEqual(['OPENING_AND_CLOSING', 'BALANCES']);
      expect((await sendCsv(`${file(100, same, same)}\n`, {}, 'PAYOUT')).json().summary).toMatchObject({ repeated: 2 });
      const later = (await sendCsv(file(92, same), {}, 'PAYOUT')).json();
      expect(later.summary).toMatchObject({ repeated: 0, bank: -4, ties: true });
      expect(await statuses(later.id)).toEqual(['DUPLICATE']);
      expect((await sendCsv(`${file(100, same, same, same)}\n`, {}, 'PAYOUT')).json().summary).toMatchObject({
        repeated: 3,
      });
    });

    it('is for an operator to decide where nothing tells them apart: DISTINCT makes it another one', async () => {
      const line = '21/11/2026,,CHEQUE BOOK,,40.00,';
      const [confirm, more] = [{ count: 1, credits: 40, debits: 0 }, '\n'];
      await sendCsv(fileOfRows(line), { confirm }, 'COLLECTION');
      const again = (await sendCsv(fileOfRows(line) + more, { confirm }, 'COLLECTION')).json();
      const [repeated] = await items(again.id);
      expect(repeated.status).toBe('REPEATED');
      const resolve = () =>
        server.operate('POST', `/reconciliation/items/${repeated.id}/resolve`, {
          action: 'DISTINCT',
          reason: 'paid twice',
        });
      const answer = await resolve();
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { status: 'DUPLICATE', difference: 40 }]);
      expect((await resolve()).json()).toEqual(answer.json());
      const [entry] = await auditOf(server, repeated.id);
      expect(entry).toMatchObject({
        before: { status: 'REPEATED' },
        after: { action: 'DISTINCT', status: 'DUPLICATE' },
      });
      const now = (await server.operate('GET', `/reconciliation/imports/${again.id}`)).json();
      expect(now.summary).toMatchObject({
        repeated: 0,
        bank: 40,
        ties: true,
        differences: [{ of: 'DUPLICATE', amount: 40 }],
      });
      const third = (
        await sendCsv(fileOfRows(line, line), { confirm: { count: 2, credits: 80, debits: 0 } }, 'COLLECTION')
      ).json();
      expect(third.summary.repeated).toBe(2);
    });
  });

  it('the same file again answers the first import, and of several at once one is made', async () => {
    const body = importOf('GATEWAY', 'CSV', [{ day, amount: 77n, reference: 'G-1' }]);
    const answers = await Promise.all([send(body), send(body), send(body)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
  });

  const good = importOf('INBOUND', 'CSV', [{ day, amount: 77n, reference: 'G-1' }]);
  const csv = (...rows: string[]) => ({ content: ['Date,Ref,Details,Debit,Credit,Balance', ...rows].join('\n') });

  it.each([
    [csv('20/11/2026,R,,,1e400,5.00'), 'line 2, credit: '],
    [csv('20/11/2026,R,,,1.005,5.00'), 'line 2, credit: '],
    [csv('31/02/2026,R,,,1.00,5.00'), 'line 2, date: '],
    [csv('01/01/0000,R,,,1.00,5.00'), 'line 2: the day 0000-01-01'],
    [csv('01/01/2206,R,,,1.00,5.00'), 'line 2: the day 2206-01-01'],
    [csv(`20/11/2026,R,,,${'0'.repeat(50)}1.00,5.00`), 'line 2, credit: '],
    [csv('20/11/2026,R,,1.00,1.00,5.00'), 'line 2, debit: '],
    [csv('20/11/2026,R,"never closed,,1.00,5.00'), 'not CSV'],
    [{ content: 'Date,Ref\n1,2\n' }, 'no one column is called'],
    [{ content: 'only words' }, 'no one column is called'],
    [{ content: Buffer.from('Date\0').toString('base64'), encoding: 'base64' }, 'line 1: holds a NUL'],
    [{ content: Buffer.from([0x44, 0xff, 0xfe]).toString('base64'), encoding: 'base64' }, 'the file is not utf-8'],
  ])('400: a file that cannot be read: %j', async (given, error) => {
    const answer = await send({ ...good, ...given });
    expect(refusalOf(answer)).toEqual([400, 'BANK_FILE_UNREADABLE']);
    expect(answer.json().message).toContain(error);
  });

  it('400: a file whose lines come to more than can be told', async () => {
    const lines = Array.from({ length: 6 }, (_, at) => `20/11/2026,R${at},,,9999999999999.99,0`);
    const answer = await send({ ...good, ...csv(...lines), mapping: { ...MAPPING, balance: undefined } });
    expect(refusalOf(answer)).toEqual([400, 'BANK_FILE_UNREADABLE']);
  });

  it('400: an entry that never ends', async () => {
    const content = `<Stmt><Id>1</Id><Ntry>${'<a/>'.repeat(300_001)}</Ntry></Stmt>`;
    const answer = await send({ rail: 'BANK', format: 'CAMT.053', content });
    expect(answer.json().message).toContain('holds 300000 others at most');
  });

  it('400: a file that does not tie, with the line at which it does not', async () => {
    const broken = csv('20/11/2026,R,,,1.00,5.00', '20/11/2026,S,,,1.00,6.50');
    const answer = await send({ ...good, ...broken });
    expect(refusalOf(answer)).toEqual([400, 'BANK_FILE_DOES_NOT_TIE']);
    expect(answer.json().message).toBe('line 3, balance: 5.00 and 1.00 come to 6.00, not 6.50');
  });

  it('413: a body of more than 12 MiB', async () => {
    expect((await send({ ...good, content: 'x'.repeat(13 * 1024 * 1024) })).statusCode).toBe(413);
  });
});
