import { type Minor, negated } from '#lib/minor-units.ts';
import { toCalendarDay } from '#lib/text/parse.ts';
import { chained, newStatement, type Statement } from './balances.ts';
import {
  type BankFile,
  type BankLine,
  LINES_MAX,
  oneLine,
  pause,
  referenceOf,
  rowsOf,
  unreadable,
} from './bank-file.ts';
import { readDecimal } from './exact-amount.ts';

interface Field {
  tag: string;
  /** The line that it begins on. */
  line: number;
  /** Its rows, the tag taken off. */
  text: string[];
}

/** As long as a row with its tag is. */
const lengthOf = ({ tag, text }: Field, at: number): number =>
  (text[at]?.length ?? 0) + (at === 0 ? tag.length + 2 : 0);

const TAG = /^:(NS|\d{2}[A-Z]?):(.*)$/;
/** What stands in a message of this type. */
const TAGS = new Set('13 13D 20 21 25 25P 28 28C 34F 60F 60M 61 62F 62M 64 65 86 90C 90D NS'.split(' '));
const AT_ONCE = 2_000;
/** `:60F:` and `:62F:` (`M` between the pages of one statement). */
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d[\d,.]*)$/;
/**
 * `:61:`: value date, booking day, mark, letter of the currency, amount, type, references. Some banks fill the type with blanks, write
 * one before it, or leave it out before what is their own.
 */
const LINE = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d[\d,.]*)(?: ?[A-Z][A-Z0-9 ]{3}|(?=\/\/))(.*)$/;
/** The end of a message, as SWIFT and as banks write it. */
const END = /^(?:-(?:\}|X{3})?|\})$/;
/** As long as a trailer is. */
const TRAILER_MAX = 200;
/** As long as a row of field 86 is: a longer text continues in the next row, in the middle of a word. */
const ROW_MAX = 65;
/** As long as a part of a structured field 86 is. */
const PART_MAX = 27;
/** Rows that stand before a message. */
const HEADERS_MAX = 10;
/** Rows that a bank may break field 61 into, before its second part. */
const BREAKS_MAX = 3;
/** As many rows of a text are as long as the file's longest, where all are broken at that length. */
const FULL_ROWS_MIN = 2;

/**
 * Reads SWIFT customer statement messages (MT940): fields 20, 25, 28, 60, 61, 62 and 86, with or without their blocks, and without
 * field 20 too.
 *
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE
 */
export async function readMt940(text: string): Promise<BankFile> {
  const fields = await fieldsOf(text);
  const width = await widthOf(fields);
  const statements: Statement[] = [];
  let count = 0;
  /** What fields 86 and NS are about: the line before them, and the whole statement where there is none. */
  let currentLine: BankLine | undefined;
  for (const [at, field] of fields.entries()) {
    if (at % AT_ONCE === 0) await pause();
    const { tag, line } = field;
    if (tag !== '86' && tag !== 'NS') currentLine = undefined;
    const last = statements.at(-1);
    const isBehind = last?.closing !== undefined && ['25', '28', '28C', '60F', '60M'].includes(tag);
    if (last === undefined || tag === '20' || isBehind) statements.push(newStatement(line));
    const statement = statements.at(-1) ?? newStatement(line);
    switch (tag) {
      case '25':
      case '25P':
        statement.account = whole(field).slice(0, 64) || undefined;
        break;
      case '28':
      case '28C':
        statement.number = whole(field).slice(0, 35) || undefined;
        break;
      case '60F':
      case '60M':
        if (statement.opening !== undefined) throw unreadable(`line ${line}, :${tag}:`, 'a second opening balance');
        statement.opening = balanceOf(field).amount;
        break;
      case '62F':
      case '62M': {
        if (statement.closing !== undefined) throw unreadable(`line ${line}, :${tag}:`, 'a second closing balance');
        const { amount, day } = balanceOf(field);
        statement.closing = amount;
        statement.days.push(day);
        break;
      }
      case '61': {
        if (statement.closing !== undefined)
          throw unreadable(`line ${line}, :61:`, 'stands behind the closing balance');
        count += 1;
        if (count > LINES_MAX) throw unreadable(`line ${line}`, `a file has ${LINES_MAX} lines at most`);
        currentLine = lineOf(field, width);
        if (currentLine.amount !== 0n) statement.lines.push(currentLine);
        break;
      }
      case 'NS':
      case '86':
        if (currentLine !== undefined)
          currentLine.narration = oneLine(`${currentLine.narration} ${saidIn(field.text)}`);
        break;
    }
  }
  if (statements.length === 0) throw unreadable('line 1', 'there is no statement in it');
  return chained(statements);
}

/** The fields of all messages of a file. Headers, trailers and the end of a message are passed over, and refused elsewhere. */
async function fieldsOf(text: string): Promise<Field[]> {
  const fields: Field[] = [];
  /** Rows between two messages: they belong to the next one. */
  let headers: number[] = [];
  let [isOpen, isClosing] = [false, false];
  for (const [line, given] of rowsOf(text)) {
    if (line % AT_ONCE === 0) await pause();
    // SOH and ETX stand around each message of some networks.
    let row = given.replaceAll('\u0001', '').replaceAll('\u0003', '').trimEnd();
    if (!isOpen && row.startsWith('{')) {
      const begins = row.indexOf('{4:');
      if (begins < 0) continue;
      row = row.slice(begins + '{4:'.length);
    }
    const end = endBehind(row);
    const isEnd = end >= 0;
    if (isEnd) row = row.slice(0, end);
    const [, tag, rest = ''] = TAG.exec(row) ?? [];
    // A time may be broken before its colon: in a text it is no field.
    const isText = isOpen && tag !== undefined && !TAGS.has(tag) && ['86', 'NS'].includes(fields.at(-1)?.tag ?? '');
    if (tag !== undefined && !isText) {
      if (!TAGS.has(tag)) throw unreadable(`line ${line}, :${tag}:`, 'no field of MT940');
      if (headers[0] !== undefined && tag !== '20' && fields.length > 0) throw notField(headers[0]);
      headers = [];
      if (!isOpen || tag === '20') isClosing = false;
      isClosing ||= tag.startsWith('62');
      fields.push({ tag, line, text: [rest] });
      isOpen = true;
    } else if (row !== '' && END.test(row) && (isClosing || !isOpen)) {
      isOpen = false;
    } else if (isOpen) {
      fields.at(-1)?.text.push(row);
    } else if (row !== '') {
      headers.push(line);
      if (headers.length > HEADERS_MAX || row.length > ROW_MAX) throw notField(line);
    }
    if (isEnd) isOpen = false;
  }
  if (headers[0] !== undefined) throw notField(headers[0]);
  return fields;
}

/** The length at which a file's rows are broken, wherever that is: that of its longest ones, where texts go on behind such rows. */
async function widthOf(fields: readonly Field[]): Promise<number> {
  let [width, count] = [0, 0];
  for (const [place, field] of fields.entries()) {
    if (place % AT_ONCE === 0) await pause();
    const isText = field.tag === '86' || field.tag === 'NS';
    for (const at of field.text.keys()) {
      const length = lengthOf(field, at);
      if (length > width) [width, count] = [length, 0];
      if (length === width && isText && at + 1 < field.text.length) count += 1;
    }
  }
  return count < FULL_ROWS_MIN ? Number.POSITIVE_INFINITY : width;
}

/** A field's rows as one, which may be broken anywhere. */
const whole = ({ text }: Field): string => text.map((row) => row.trim()).join('');

/** Where a message ends behind its last field, with a trailer behind it or without one; below zero where it does not. */
function endBehind(row: string): number {
  const end = row.lastIndexOf('-}');
  const trailer = end < 0 ? '-' : row.slice(end + 2);
  return trailer === '' || (/^\{[0-9S]:/.test(trailer) && trailer.length <= TRAILER_MAX) ? end : -1;
}

const notField = (line: number) => unreadable(`line ${line}`, 'not a field of MT940');

function balanceOf(field: Field): { amount: Minor; day: string } {
  const where = `line ${field.line}, :${field.tag}:`;
  const [, mark, date = '', currency, digits = ''] = BALANCE.exec(whole(field)) ?? [];
  if (mark === undefined) throw unreadable(where, 'not a balance: D or C, YYMMDD, currency, amount');
  if (currency !== 'NGN') throw unreadable(where, `the currency is ${currency}, not NGN`);
  return { amount: signed(digits, mark, where), day: dayOf(date, where) };
}

/** An amount without its comma, or with a point, is proved by the balances; three decimals may be thousands. */
function signed(written: string, mark: string, where: string): Minor {
  const amount = /[.,]\d{3}/.test(written) ? undefined : readDecimal(written);
  if (amount === undefined) throw unreadable(where, 'not an amount of at most two decimals');
  return mark === 'C' || mark === 'RD' ? amount : negated(amount);
}

/** Banks that count interest by months of thirty days write the 30th of February: that is its last day. */
function calendarDay(year: string, month: string, day: string): string | undefined {
  const isBeyond = month === '02' && (day === '29' || day === '30');
  const last = isBeyond ? (toCalendarDay(`20${year}-02-29`) ?? `20${year}-02-28`) : undefined;
  return last ?? toCalendarDay(`20${year}-${month}-${day}`);
}

function dayOf(date: string, where: string): string {
  const day = calendarDay(date.slice(0, 2), date.slice(2, 4), date.slice(4, 6));
  if (day === undefined) throw unreadable(where, 'not a day written as YYMMDD');
  return day;
}

/** @param width the length at which the file's rows are broken */
function lineOf(field: Field, width: number): BankLine {
  const { line, text } = field;
  const where = `line ${line}, :61:`;
  const rows = text.map((row) => row.trim());
  let used = 1;
  let first = rows[0] ?? '';
  while (used <= BREAKS_MAX && used < rows.length && !LINE.test(first)) first += rows[used++];
  // What follows the slashes is the bank's own name: their row continues the one before, and words of the bank never do.
  if (!first.includes('//')) {
    const near = rows.slice(0, used + BREAKS_MAX);
    const ends = near.findIndex((_, at) => at >= used && (first + near.slice(used, at + 1).join('')).includes('//'));
    const next = near.slice(used, ends + 1).join('');
    if (ends >= 0 && !/\s/.test(next.slice(0, Math.max(0, next.indexOf('//'))))) {
      first += next;
      used = ends + 1;
    }
  }
  const supplement = rows.slice(used);
  // Words of the bank or the end of its name: they are shown as the one, and matched as the other.
  for (let at = used; at < rows.length && lengthOf(field, at - 1) === width; at += 1) first += rows[at];
  const [, value, booked, mark, , written = '', references = ''] = LINE.exec(first) ?? [];
  if (value === undefined || mark === undefined) {
    throw unreadable(where, 'not a statement line: YYMMDD, MMDD, mark, amount, type, reference');
  }
  const slashes = references.indexOf('//');
  const [own, bank] = slashes < 0 ? [references, ''] : [references.slice(0, slashes), references.slice(slashes + 2)];
  return {
    number: line,
    day: booked === undefined ? dayOf(value, where) : bookingDay(dayOf(value, where), booked, where),
    amount: signed(written, mark, where),
    reference: referenceOf(own, where),
    bankReference: referenceOf(bank, where),
    narration: oneLine(supplement.join(' ')),
  };
}

/** The booking day is written without its year: that which is nearer to the value date. */
function bookingDay(value: string, booked: string, where: string): string {
  const year = Number(value.slice(2, 4));
  const near = [year, year - 1, year + 1].flatMap((one) => {
    const day = calendarDay(String(one).padStart(2, '0'), booked.slice(0, 2), booked.slice(2));
    return day === undefined ? [] : [day];
  });
  const apart = (day: string): number => Math.abs(Date.parse(day) - Date.parse(value));
  const [nearest] = near.toSorted((a, b) => apart(a) - apart(b));
  if (nearest === undefined) throw unreadable(where, 'the booking day is not a day written as MMDD');
  return nearest;
}

/** Parts of a structured field 86 that go on in the next one: what the payment is for. */
const GOES_ON = /^(?:2\d|6[0-3])/;

/** The text of field 86: a row or a part of full length continues in the next one, and any other is separated by a blank. */
function saidIn(rows: readonly string[]): string {
  const [, separator] = /^\d{3}([?<>^~|@])(?=\d{2})/.exec(rows[0] ?? '') ?? /^(\?)(?=\d{2})/.exec(rows[0] ?? '') ?? [];
  if (separator === undefined) return joined(rows, (row) => row.length >= ROW_MAX);
  const parts = rows.join('').split(separator);
  const goesOn = (part: string, next: string): boolean =>
    part.length >= PART_MAX + 2 && GOES_ON.test(part) && GOES_ON.test(next);
  return joined(parts, goesOn, (part, at) => (at === 0 ? part : part.replace(/^\d{2}/, '')));
}

function joined(
  parts: readonly string[],
  goesOn: (part: string, next: string) => boolean,
  textOf = (part: string, _at: number): string => part,
): string {
  let text = '';
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    text += `${before !== undefined && goesOn(before, part) ? '' : ' '}${textOf(part, at)}`;
  }
  return text.trim();
}
