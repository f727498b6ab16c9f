import { toCalendarDay } from '#lib/calendar-day.ts';
import { type Minor, negated } from '#lib/minor-units.ts';
import { type BankFile, type BankLine, LINES_MAX, oneLine, pause, unreadable } from './bank-file.ts';
import { readAmount } from './exact-amount.ts';
import { chained, newStatement, type Statement } from './statements.ts';

interface Field {
  tag: string;
  /** The line that it begins on. */
  line: number;
  /** Its lines, the tag taken off. */
  text: string[];
}

const TAG = /^:(\d{2}[A-Z]?):(.*)$/;
const AT_ONCE = 2_000;
/** `:60F:` and `:62F:` (`M` between the pages of one statement). */
const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d,]+)$/;
/** `:61:`: value date, booking day, mark, letter of the currency, amount, type, references. */
const LINE = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d[\d,]*)([A-Z][A-Z0-9]{3})(.*)$/;
const NONE = /^(NONREF|NOREF|NOTPROVIDED)$/i;

/**
 * Reads SWIFT customer statement messages (MT940): fields 20, 25, 28, 60, 61, 62 and 86, with or without their blocks.
 *
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE
 */
export async function readMt940(text: string): Promise<BankFile> {
  const fields = await fieldsOf(text);
  const statements: Statement[] = [];
  let count = 0;
  for (const [at, field] of fields.entries()) {
    if (at % AT_ONCE === 0) await pause();
    if (field.tag === '20') statements.push(newStatement(field.line));
    const statement = statements.at(-1);
    if (statement === undefined) throw unreadable(`line ${field.line}`, `field ${field.tag} stands before field 20`);
    switch (field.tag) {
      case '25':
        statement.account = field.text.join('').trim().slice(0, 64) || undefined;
        break;
      case '60F':
      case '60M':
        statement.opening = balanceOf(field).amount;
        break;
      case '62F':
      case '62M':
        statement.closing = balanceOf(field).amount;
        statement.days.push(balanceOf(field).day);
        break;
      case '61': {
        count += 1;
        if (count > LINES_MAX) throw unreadable(`line ${field.line}`, `a file has ${LINES_MAX} lines at most`);
        const line = lineOf(field);
        if (line.amount !== 0n) statement.lines.push(line);
        break;
      }
      case '86':
        addNarration(statement, fields[at - 1], field);
        break;
    }
  }
  if (statements.length === 0) throw unreadable('line 1', 'there is no statement (field 20) in it');
  return chained(statements);
}

/** The fields of all messages of a file. Headers, trailers and the end of a message are passed over. */
async function fieldsOf(text: string): Promise<Field[]> {
  const fields: Field[] = [];
  const rows = text.split(/\r\n|\n|\r/);
  let isOpen = false;
  for (const [at, row] of rows.entries()) {
    if (at % AT_ONCE === 0) await pause();
    const [, tag, rest = ''] = TAG.exec(row) ?? [];
    if (tag !== undefined) {
      fields.push({ tag, line: at + 1, text: [rest] });
      isOpen = true;
    } else if (/^(-\}?.{0,200}$|\{\d:)/.test(row) || row.trim() === '-') {
      isOpen = false;
    } else if (isOpen) {
      fields.at(-1)?.text.push(row);
    } else if (row.trim() !== '') {
      throw unreadable(`line ${at + 1}`, 'not a field of MT940');
    }
  }
  return fields;
}

function balanceOf({ tag, line, text }: Field): { amount: Minor; day: string } {
  const where = `line ${line}, :${tag}:`;
  const [, mark, date = '', currency, written = ''] = BALANCE.exec((text[0] ?? '').trim()) ?? [];
  if (mark === undefined) throw unreadable(where, 'not a balance: D or C, YYMMDD, currency, amount');
  if (currency !== 'NGN') throw unreadable(where, `the currency is ${currency}, not NGN`);
  return { amount: signed(written, mark, where), day: dayOf(date, where) };
}

function signed(written: string, mark: string, where: string): Minor {
  const amount = /^\d+,\d{0,2}$/.test(written) ? readAmount(written, ',') : undefined;
  if (amount === undefined) throw unreadable(where, 'not an amount with a comma and at most two decimals');
  return mark === 'C' || mark === 'RD' ? amount : negated(amount);
}

function dayOf(date: string, where: string): string {
  const day = toCalendarDay(`20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4, 6)}`);
  if (day === undefined) throw unreadable(where, 'not a day written as YYMMDD');
  return day;
}

function lineOf({ line, text: [first = '', ...supplement] }: Field): BankLine {
  const where = `line ${line}, :61:`;
  const [, value, booked, mark, , written = '', , references = ''] = LINE.exec(first.trim()) ?? [];
  if (value === undefined || mark === undefined) {
    throw unreadable(where, 'not a statement line: YYMMDD, MMDD, mark, amount, type, reference');
  }
  const [own = '', bank = ''] = references.split('//', 2);
  return {
    number: line,
    day: booked === undefined ? dayOf(value, where) : bookingDay(dayOf(value, where), booked, where),
    amount: signed(written, mark, where),
    reference: NONE.test(own.trim()) ? '' : oneLine(own),
    bankReference: oneLine(bank),
    narration: oneLine(supplement.join(' ')),
  };
}

/** The booking day is written without its year: that which is nearer to the value date. */
function bookingDay(value: string, booked: string, where: string): string {
  const year = Number(value.slice(2, 4));
  const near = [year, year - 1, year + 1].flatMap((one) => {
    const day = toCalendarDay(`20${String(one).padStart(2, '0')}-${booked.slice(0, 2)}-${booked.slice(2)}`);
    return day === undefined ? [] : [day];
  });
  const apart = (day: string): number => Math.abs(Date.parse(day) - Date.parse(value));
  const [nearest] = near.toSorted((a, b) => apart(a) - apart(b));
  if (nearest === undefined) throw unreadable(where, 'the booking day is not a day written as MMDD');
  return nearest;
}

/** What field 86 says is of the line before it; of the whole statement where there is none. */
function addNarration(statement: Statement, before: Field | undefined, { text }: Field): void {
  const line = statement.lines.at(-1);
  if (line === undefined || before?.tag !== '61' || line.number !== before.line) return;
  const said = text.join('').replaceAll(/\?\d{2}/g, ' ');
  line.narration = oneLine(`${line.narration} ${said}`);
}
