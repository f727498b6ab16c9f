import { toCalendarDay } from '#lib/calendar-day.ts';
import { type Minor, negated } from '#lib/minor-units.ts';
import { type BankFile, type BankLine, LINES_MAX, oneLine, unreadable } from './bank-file.ts';
import { readAmount } from './exact-amount.ts';
import { chained, newStatement, type Statement } from './statements.ts';
import { type Element, eachElement, elementsAt, textAt } from './xml-elements.ts';

const REFERENCES = ['EndToEndId', 'TxId', 'InstrId', 'PmtInfId', 'MsgId'].map((name) => `Refs/${name}`);
const PARTIES = ['Dbtr', 'Cdtr'].flatMap((who) => [`RltdPties/${who}/Nm`, `RltdPties/${who}/Pty/Nm`]);
const TEXTS = ['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref', ...PARTIES, 'AddtlTxInf'];
/** What says that there is no reference. */
const NONE = /^(NOTPROVIDED|NONREF|NOREF)$/i;

/**
 * Reads statements of ISO 20022 (camt.053), of any version: what is booked, each transaction of a batch for itself where the
 * bank tells its amount.
 *
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE
 */
export async function readCamt(xml: string): Promise<BankFile> {
  const statements: Statement[] = [];
  let count = 0;
  await eachElement(xml, isRead, (element, within) => {
    if (within.at(-1) !== 'Stmt') return;
    if (element.name === 'Id') statements.push(newStatement(element.line));
    const statement = statements.at(-1);
    if (statement === undefined) throw unreadable(`line ${element.line}, Stmt`, 'the statement has no Id');
    if (element.name === 'Acct') statement.account = accountOf(element);
    if (element.name === 'Bal') addBalance(statement, element);
    if (element.name === 'FrToDt') statement.days.push(...firstDayOf(element));
    if (element.name !== 'Ntry') return;
    const lines = linesOf(element);
    count += lines.length;
    if (count > LINES_MAX) throw unreadable(`line ${element.line}`, `a file has ${LINES_MAX} lines at most`);
    statement.lines.push(...lines);
  });
  if (statements.length === 0) throw unreadable('line 1', 'there is no statement (BkToCstmrStmt/Stmt) in it');
  return chained(statements);
}

const READ = new Set(['Id', 'Acct', 'Bal', 'Ntry', 'FrToDt']);
const isRead = (name: string): boolean => READ.has(name);

const accountOf = (account: Element): string | undefined =>
  textAt(account, 'Id/IBAN', 'Id/Othr/Id').slice(0, 64) || undefined;

/** The last day of a period may be written as the moment at which the next one begins: that is said by the closing balance. */
const firstDayOf = (period: Element): string[] => {
  const day = toCalendarDay(textAt(period, 'FrDtTm', 'FrDt'));
  return day === undefined ? [] : [day];
};

function addBalance(statement: Statement, balance: Element): void {
  const kind = textAt(balance, 'Tp/CdOrPrtry/Cd');
  if (kind === 'OPBD' || (kind === 'PRCD' && statement.opening === undefined)) {
    statement.opening = signedAmount(balance, 'Bal/Amt');
  }
  if (kind !== 'CLBD') return;
  statement.closing = signedAmount(balance, 'Bal/Amt');
  const day = toCalendarDay(textAt(balance, 'Dt/Dt', 'Dt/DtTm'));
  if (day !== undefined) statement.days.push(day);
}

function signedAmount(element: Element, field: string, amountAt = 'Amt'): Minor {
  const [amount] = elementsAt(element, amountAt);
  const currency = amount?.attributes['Ccy'];
  if (currency !== 'NGN')
    throw unreadable(`line ${element.line}, ${field}`, `the currency is ${currency ?? 'missing'}, not NGN`);
  const text = amount?.text.trim() ?? '';
  const value = /^[\d.]+$/.test(text) ? readAmount(text) : undefined;
  if (value === undefined) throw unreadable(`line ${element.line}, ${field}`, 'not an amount of at most two decimals');
  const direction = textAt(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    throw unreadable(`line ${element.line}, CdtDbtInd`, 'must be CRDT or DBIT');
  }
  return direction === 'CRDT' ? value : negated(value);
}

function linesOf(entry: Element): BankLine[] {
  if (textAt(entry, 'Sts/Cd', 'Sts') === 'PDNG' || textAt(entry, 'Sts/Cd', 'Sts') === 'INFO') return [];
  const amount = signedAmount(entry, 'Ntry/Amt');
  const day = toCalendarDay(textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'));
  if (day === undefined) throw unreadable(`line ${entry.line}, BookgDt`, 'not a day');
  if (amount === 0n) return [];
  const details = elementsAt(entry, 'NtryDtls/TxDtls');
  const parts = details.length > 1 ? partsOf(entry, details, amount) : undefined;
  const line = (part: Element | undefined, partAmount: Minor): BankLine => ({
    number: part?.line ?? entry.line,
    day,
    amount: partAmount,
    ...saidOf(entry, part),
  });
  return parts?.map(({ part, amount: partAmount }) => line(part, partAmount)) ?? [line(details[0], amount)];
}

/** The transactions of a batch with their amounts; undefined unless all have one and they come to the entry's. */
function partsOf(entry: Element, details: readonly Element[], whole: Minor) {
  const direction = textAt(entry, 'CdtDbtInd');
  const parts = details.flatMap((part) => {
    const path = elementsAt(part, 'Amt').length > 0 ? 'Amt' : 'AmtDtls/TxAmt/Amt';
    const [amount] = elementsAt(part, path);
    if (amount?.attributes['Ccy'] !== 'NGN') return [];
    const value = readAmount(amount.text.trim());
    if (value === undefined || value <= 0n) return [];
    const isCredit = (textAt(part, 'CdtDbtInd') || direction) === 'CRDT';
    return [{ part, amount: isCredit ? value : negated(value) }];
  });
  const sum = parts.reduce((total, { amount }) => total + amount, 0n);
  return parts.length === details.length && sum === whole ? parts : undefined;
}

function saidOf(
  entry: Element,
  part: Element | undefined,
): Pick<BankLine, 'reference' | 'bankReference' | 'narration'> {
  const of = (...paths: string[]): string[] =>
    part === undefined ? [] : paths.flatMap((path) => elementsAt(part, path).map(({ text }) => text.trim()));
  const given = of(...REFERENCES).filter((one) => one !== '' && !NONE.test(one));
  const [own = ''] = of('Refs/AcctSvcrRef');
  const texts = [...given.slice(1), ...of(...TEXTS), textAt(entry, 'AddtlNtryInf')];
  const entryReference = textAt(entry, 'NtryRef');
  return {
    reference: oneLine(given[0] ?? (NONE.test(entryReference) ? '' : entryReference)),
    bankReference: oneLine(own || textAt(entry, 'AcctSvcrRef')),
    narration: oneLine(texts.filter((one) => one !== '').join(' ')),
  };
}
