import { type Minor, negated } from '#lib/minor-units.ts';
import { isoDay } from '../days.ts';
import { chained, newStatement, type Statement } from './balances.ts';
import {
  type BankFile,
  type BankLine,
  doesNotTie,
  LINES_MAX,
  oneLine,
  pause,
  referenceOf,
  shown,
  TEXT_MAX,
  unreadable,
} from './bank-file.ts';
import { readDecimal } from './exact-amount.ts';
import { type Element, eachElement, elementsAt, onlyAt, textAt } from './xml-elements.ts';

/** What names a payment, the best of them first. */
const REFERENCES = ['EndToEndId', 'TxId', 'InstrId'];
/** What names a whole order of payments: of a batch it names no part. */
const OF_WHOLE = ['PmtInfId', 'MsgId'];
/** The bank's own name. */
const OF_BANK = 'AcctSvcrRef';
/** The kind of a reference, next to it. */
const KIND = 'Tp';
const PARTIES = ['Dbtr', 'Cdtr'].flatMap((who) => [`RltdPties/${who}/Nm`, `RltdPties/${who}/Pty/Nm`]);
const TEXTS = ['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref', ...PARTIES, 'AddtlTxInf'];
/** What is not booked. */
const NOT_BOOKED = new Set(['PDNG', 'INFO', 'FUTR']);
/** Transactions of a batch that are looked at before others have their turn. */
const AT_ONCE = 200;

interface CamtStatement extends Statement {
  /** Its balances, by their kind. */
  said: Map<string, Minor>;
  /** What it says of its entries. */
  totals: Total[];
  /** The sums of its entries: the booked ones, and all of them. */
  booked: Tally;
  all: Tally;
}

/** Entries that came in, or that left. */
interface Side {
  count: number;
  sum: bigint;
}
type Tally = Readonly<Record<'credits' | 'debits', Side>>;

/** What a statement says of its entries, of one direction or of both. */
interface Total {
  line: number;
  of: 'entries' | 'credits' | 'debits';
  count: number | undefined;
  sum: bigint | undefined;
  /** What came in less what left; its sign may be left out. */
  net: { amount: bigint; isSigned: boolean } | undefined;
}

/**
 * Reads statements of ISO 20022 (camt.053), of any version: what is booked, each transaction of a batch for itself where the
 * bank tells its amount.
 *
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE
 */
export async function readCamt(xml: string): Promise<BankFile> {
  const statements: CamtStatement[] = [];
  let count = 0;
  await eachElement(xml, isRead, async (element, within) => {
    if (within.at(-1) !== 'Stmt') return;
    if (element.name === 'Id')
      statements.push({ ...newStatement(element.line), number: numberOf(element), ...newTotals() });
    const statement = statements.at(-1);
    if (statement === undefined) throw unreadable(`line ${element.line}, Stmt`, 'the statement has no Id');
    if (element.name === 'Acct') statement.account = accountOf(element);
    if (element.name === 'Bal') addBalance(statement, element);
    if (element.name === 'ElctrncSeqNb') statement.number = numberOf(element);
    if (element.name === 'TxsSummry') statement.totals.push(...totalsIn(element));
    if (element.name === 'FrToDt') statement.days.push(...firstDayOf(element));
    if (element.name !== 'Ntry') return;
    const lines = await linesOf(element);
    addTo(statement.all, element);
    if (!NOT_BOOKED.has(statusOf(element))) addTo(statement.booked, element);
    count += lines.length;
    if (count > LINES_MAX) throw unreadable(`line ${element.line}`, `a file has ${LINES_MAX} lines at most`);
    statement.lines.push(...lines);
  });
  if (statements.length === 0) throw unreadable('line 1', 'there is no statement (BkToCstmrStmt/Stmt) in it');
  for (const statement of statements) statement.isTotalled = compareTotals(statement);
  return chained(statements);
}

const READ = new Set(['Id', 'ElctrncSeqNb', 'Acct', 'Bal', 'Ntry', 'FrToDt', 'TxsSummry']);
const isRead = (name: string): boolean => READ.has(name);

const numberOf = ({ text }: Element): string | undefined => text.trim().slice(0, 35) || undefined;

const accountOf = (account: Element): string | undefined =>
  textAt(account, 'Id/IBAN', 'Id/Othr/Id').slice(0, 64) || undefined;

/** The last day of a period may be written as the moment at which the next one begins: that is said by the closing balance. */
const firstDayOf = (period: Element): string[] => {
  const day = isoDay(textAt(period, 'FrDtTm', 'FrDt'));
  return day === undefined ? [] : [day];
};

function addBalance(statement: CamtStatement, balance: Element): void {
  const kind = textAt(balance, 'Tp/CdOrPrtry/Cd');
  if (kind !== 'OPBD' && kind !== 'PRCD' && kind !== 'CLBD') return;
  const amount = signedAmount(balance, 'Bal/Amt');
  const before = statement.said.get(kind);
  if (before !== undefined && before !== amount) {
    throw doesNotTie(`line ${balance.line}, Bal`, `a second balance ${kind} of the statement, and another one`);
  }
  statement.said.set(kind, amount);
  if (kind === 'CLBD') statement.closing = amount;
  else statement.opening = statement.said.get('OPBD') ?? amount;
  const day = dayAt(balance, 'Dt/Dt', 'Dt/DtTm');
  if (kind === 'CLBD' && day !== undefined) statement.days.push(day);
}

const newTotals = (): Pick<CamtStatement, 'said' | 'totals' | 'booked' | 'all'> => {
  const tally = (): Tally => ({ credits: { count: 0, sum: 0n }, debits: { count: 0, sum: 0n } });
  return { said: new Map(), totals: [], booked: tally(), all: tally() };
};

function addTo(tally: Tally, entry: Element): void {
  const amount = signedAmount(entry, 'Ntry/Amt');
  const side = tally[textAt(entry, 'CdtDbtInd') === 'CRDT' ? 'credits' : 'debits'];
  side.count += 1;
  side.sum += amount < 0n ? negated(amount) : amount;
}

const TOTALS = [
  ['TtlNtries', 'entries'],
  ['TtlCdtNtries', 'credits'],
  ['TtlDbtNtries', 'debits'],
] as const;

/** What a statement says of its entries: their number, their sum, and the difference of both directions. */
function totalsIn(summary: Element): Total[] {
  return TOTALS.flatMap(([name, of]) =>
    elementsAt(summary, name).map((total) => {
      const { line } = total;
      const amountAt = (...paths: string[]): bigint | undefined => {
        const text = textAt(total, ...paths);
        const amount = text === '' ? undefined : readDecimal(text);
        if (text !== '' && amount === undefined)
          throw unreadable(`line ${line}, TxsSummry/${name}/${paths[0]}`, 'not an amount');
        return amount;
      };
      const count = textAt(total, 'NbOfNtries');
      if (!/^\d{0,15}$/.test(count)) throw unreadable(`line ${line}, TxsSummry/${name}/NbOfNtries`, 'not a count');
      const net = amountAt('TtlNetNtry/Amt', 'TtlNetNtryAmt');
      const direction = textAt(total, 'TtlNetNtry/CdtDbtInd', 'CdtDbtInd');
      return {
        line,
        of,
        count: count === '' ? undefined : Number(count),
        sum: amountAt('Sum'),
        net: net === undefined ? undefined : { amount: direction === 'DBIT' ? -net : net, isSigned: direction !== '' },
      };
    }),
  );
}

/**
 * Compares what a statement says of its entries with them. It may count those that are not booked, or not.
 *
 * @returns whether its sums prove what is booked
 * @throws DomainError BANK_FILE_DOES_NOT_TIE
 */
function compareTotals({ totals, booked, all }: CamtStatement): boolean {
  const odd = oddIn(totals, booked);
  if (odd !== undefined && oddIn(totals, all) !== undefined) throw doesNotTie(...odd);
  const isSummed = (side: Total['of']): boolean => totals.some(({ of, sum }) => of === side && sum !== undefined);
  return odd === undefined && isSummed('credits') && isSummed('debits');
}

/** The first of what is said of entries that does not come out. */
function oddIn(totals: readonly Total[], { credits, debits }: Tally): [where: string, what: string] | undefined {
  const of = { credits, debits, entries: { count: credits.count + debits.count, sum: credits.sum + debits.sum } };
  for (const { line, of: side, count, sum, net } of totals) {
    const where = (what: string): string => `line ${line}, ${what} of ${side}`;
    const come = of[side];
    if (count !== undefined && count !== come.count) return [where('count'), `there are ${come.count}, not ${count}`];
    if (sum !== undefined && sum !== come.sum)
      return [where('total'), `the lines come to ${shown(come.sum)}, not ${shown(sum)}`];
    const comes = credits.sum - debits.sum;
    const isNet = net === undefined || comes === net.amount || (!net.isSigned && comes === -net.amount);
    if (!isNet) return [where('net'), `the lines come to ${shown(comes)}, not ${shown(net.amount)}`];
  }
  return undefined;
}

function signedAmount(element: Element, field: string): Minor {
  const amount = onlyAt(element, 'Amt');
  const currency = amount?.attributes['Ccy'];
  if (currency !== 'NGN')
    throw unreadable(`line ${element.line}, ${field}`, `the currency is ${currency ?? 'missing'}, not NGN`);
  const text = amount?.text.trim() ?? '';
  const value = readDecimal(text);
  if (value === undefined) throw unreadable(`line ${element.line}, ${field}`, 'not an amount of at most two decimals');
  const direction = textAt(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    throw unreadable(`line ${element.line}, CdtDbtInd`, 'must be CRDT or DBIT');
  }
  return direction === 'CRDT' ? value : negated(value);
}

const statusOf = (entry: Element): string => textAt(entry, 'Sts/Cd', 'Sts');

/** The day at these paths. @throws DomainError BANK_FILE_UNREADABLE where they say two */
function dayAt(element: Element, ...paths: string[]): string | undefined {
  const days = paths
    .map((path) => textAt(element, path))
    .filter((text) => text !== '')
    .map(isoDay);
  if (days.some((day) => day !== days[0]))
    throw unreadable(`line ${element.line}, ${paths[0]}`, 'said more than once, and not alike');
  return days[0];
}

async function linesOf(entry: Element): Promise<BankLine[]> {
  const status = statusOf(entry);
  if (NOT_BOOKED.has(status)) return [];
  if (status !== '' && status !== 'BOOK')
    throw unreadable(`line ${entry.line}, Sts`, 'must be BOOK, PDNG, INFO or FUTR');
  const amount = signedAmount(entry, 'Ntry/Amt');
  const which = elementsAt(entry, 'BookgDt').length > 0 ? 'BookgDt' : 'ValDt';
  const day = dayAt(entry, `${which}/Dt`, `${which}/DtTm`);
  if (day === undefined) throw unreadable(`line ${entry.line}, BookgDt`, 'not a day');
  if (amount === 0n) return [];
  const details = elementsAt(entry, 'NtryDtls/TxDtls');
  const counted = elementsAt(entry, 'NtryDtls/Btch/NbOfTxs').reduce((sum, { text }) => sum + (Number(text) || 0), 0);
  const many = Math.max(details.length, counted);
  const line = (part: Element | undefined, partAmount: Minor): BankLine => ({
    number: part?.line ?? entry.line,
    day,
    amount: partAmount,
    ...saidOf(entry, part, many > 1),
  });
  if (many > 1) {
    const parts = many === details.length ? await partsOf(entry, details, amount) : undefined;
    if (parts === undefined) return [await wholeOf(line(undefined, amount), details, many)];
    const lines: BankLine[] = [];
    for (const [at, { part, amount: partAmount }] of parts.entries()) {
      if (at % AT_ONCE === 0) await pause();
      lines.push(line(part, partAmount));
    }
    // What is said of all parts is said of the whole.
    const shared = lines[0]?.bankReference ?? '';
    if (shared !== '' && lines.every(({ bankReference }) => bankReference === shared)) {
      for (const [at, one] of lines.entries()) {
        if (at % AT_ONCE === 0) await pause();
        one.bankReference = '';
        one.narration = oneLine(`${one.narration} batch-${shared}`);
      }
    }
    return lines;
  }
  const direction = details[0] === undefined ? '' : textAt(details[0], 'CdtDbtInd');
  if (direction !== '' && direction !== textAt(entry, 'CdtDbtInd')) {
    throw unreadable(
      `line ${entry.line}, CdtDbtInd`,
      'the entry and its only transaction say otherwise of the direction',
    );
  }
  return [line(details[0], amount)];
}

/** A batch without the amounts of its parts: no reference of a part names the whole, and an operator sees them. */
async function wholeOf(line: BankLine, details: readonly Element[], many: number): Promise<BankLine> {
  let parts = '';
  for (const [at, part] of details.entries()) {
    if (at % AT_ONCE === 0) await pause();
    if (parts.length > TEXT_MAX) break;
    for (const { text } of referencesOf(part, `line ${part.line}, Refs`)) parts += ` part-${text}`;
  }
  const summary = `batch of ${many} transactions whose amounts are not told${parts === '' ? '' : ':'}`;
  return { ...line, narration: oneLine(`${line.narration} ${summary}${parts}`) };
}

/** The transactions of a batch with their amounts; undefined unless all have one and they sum to the entry's. */
async function partsOf(entry: Element, details: readonly Element[], whole: Minor) {
  const direction = textAt(entry, 'CdtDbtInd');
  const parts: { part: Element; amount: Minor }[] = [];
  for (const [at, part] of details.entries()) {
    if (at % AT_ONCE === 0) await pause();
    const path = elementsAt(part, 'Amt').length > 0 ? 'Amt' : 'AmtDtls/TxAmt/Amt';
    const amount = onlyAt(part, path);
    const value = amount?.attributes['Ccy'] === 'NGN' ? readDecimal(amount.text.trim()) : undefined;
    if (value === undefined || value <= 0n) return undefined;
    const isCredit = (textAt(part, 'CdtDbtInd') || direction) === 'CRDT';
    parts.push({ part, amount: isCredit ? value : negated(value) });
  }
  return parts.reduce((total, { amount }) => total + amount, 0n) === whole ? parts : undefined;
}

/** A number of a serial of the statement is the name of nothing. */
const SERIAL = /^\d{1,6}$/;

/** All that a payment is called by, and what kind of name each is. */
function referencesOf(part: Element, where: string): { kind: string; text: string }[] {
  const leaves = (element: Element): Element[] =>
    element.children.length === 0 ? [element] : element.children.filter(({ name }) => name !== KIND).flatMap(leaves);
  return elementsAt(part, 'Refs')
    .flatMap(({ children }) => children)
    .flatMap((child) => leaves(child).map(({ text }) => ({ kind: child.name, text: referenceOf(text.trim(), where) })))
    .filter(({ text }) => text !== '');
}

/** What is said of an entry, or of a part of one. In a batch a reference of the whole names no part: it is shown, and matches nothing. */
function saidOf(
  entry: Element,
  part: Element | undefined,
  isBatch: boolean,
): Pick<BankLine, 'reference' | 'bankReference' | 'narration'> {
  const where = `line ${part?.line ?? entry.line}`;
  const isPart = isBatch && part !== undefined;
  const named = part === undefined ? [] : referencesOf(part, `${where}, Refs`);
  const of = (...kinds: string[]): string[] =>
    kinds.flatMap((kind) => named.filter((one) => one.kind === kind).map(({ text }) => text));
  const ofEntry = (name: string): string => referenceOf(textAt(entry, name), `${where}, ${name}`);
  const entryReference = ofEntry('NtryRef');
  const isSerial = SERIAL.test(entryReference);
  const [ownOfBank = '', ...othersOfBank] = [...of(OF_BANK), isPart ? '' : ofEntry(OF_BANK)].filter(
    (one) => one !== '',
  );
  const [reference = '', ...others] = [
    ...of(...REFERENCES, ...(isPart ? [] : OF_WHOLE)),
    ...(isPart || isSerial ? [] : [entryReference]),
  ].filter((one) => one !== '');
  const known = [...REFERENCES, ...OF_WHOLE, OF_BANK];
  const ofWhole = isPart ? [isSerial ? '' : entryReference, ofEntry(OF_BANK), ...of(...OF_WHOLE)] : [];
  const texts =
    part === undefined ? [] : TEXTS.flatMap((path) => elementsAt(part, path).map(({ text }) => text.trim()));
  const words = [
    ...new Set([...others, ...othersOfBank].filter((one) => one !== reference && one !== ownOfBank)),
    ...named.filter(({ kind }) => !known.includes(kind)).map(({ text }) => text),
    ...texts,
    textAt(entry, 'AddtlNtryInf'),
    isSerial ? `entry-${entryReference}` : '',
    ...new Set(ofWhole.map((one) => (one === '' ? '' : `batch-${one}`))),
  ];
  return { reference, bankReference: ownOfBank, narration: oneLine(words.filter((one) => one !== '').join(' ')) };
}
