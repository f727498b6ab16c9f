import { negated } from '#lib/minor-units.ts';
import { type BankFile, DAY_MAX, DAY_MIN, type FileFormat, SUM_MAX, unreadable } from './bank-file.ts';
import { readCamt } from './read-camt.ts';
import { type CsvMapping, readCsv } from './read-csv.ts';
import { readMt940 } from './read-mt940.ts';

/** A file as it is sent: its format, and of a CSV where it says what. */
export type FileKind = { format: Exclude<FileFormat, 'CSV'> } | { format: 'CSV'; mapping: CsvMapping };

/**
 * Reads a bank's file, a piece at a time. What is in it is judged as a whole: of a file that is refused nothing is kept.
 *
 * @throws DomainError BANK_FILE_UNREADABLE with the line and the field; BANK_FILE_DOES_NOT_TIE where its balances and lines
 *   contradict each other
 */
export async function readBankFile(content: string, kind: FileKind): Promise<BankFile> {
  const text = content.replace(/^\uFEFF/, '');
  const nul = text.indexOf('\0');
  if (nul >= 0) throw unreadable(`line ${text.slice(0, nul).split('\n').length}`, 'holds a NUL');
  return bounded(await (kind.format === 'CSV' ? readCsv(text, kind.mapping) : readers[kind.format](text)));
}

/** Each format reads itself; only CSV needs to know which column is what. */
const readers = { 'CAMT.053': readCamt, MT940: readMt940 } satisfies Record<
  Exclude<FileFormat, 'CSV'>,
  (text: string) => Promise<BankFile>
>;

/** A file whose days and sums can be what a bank says. */
function bounded(file: BankFile): BankFile {
  const isOdd = (day: string): boolean => day < DAY_MIN || day > DAY_MAX;
  const line = file.lines.find(({ day }) => isOdd(day));
  const odd = line?.day ?? [file.from, file.to].find(isOdd);
  if (odd !== undefined)
    throw unreadable(`line ${line?.number ?? 1}`, `the day ${odd} must be between ${DAY_MIN} and ${DAY_MAX}`);
  const sum = file.lines.reduce((total, { amount }) => total + (amount < 0n ? negated(amount) : amount), 0n);
  if (sum > SUM_MAX) throw unreadable('line 1', 'the sum of the lines exceeds the limit');
  return file;
}

const charsets = { utf8: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be' } as const;
/** Of a file that is not UTF-8. */
export const otherCharsets = ['windows-1252', 'iso-8859-1'] as const;

/**
 * The text of a file's bytes: of UTF-8 or, by its mark, UTF-16, unless another charset is named.
 *
 * @throws DomainError BANK_FILE_UNREADABLE
 */
export function textOf(bytes: Uint8Array, charset?: (typeof otherCharsets)[number]): string {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf16le' : first === 0xfe && second === 0xff ? 'utf16be' : 'utf8';
  try {
    return new TextDecoder(charset ?? charsets[marked], { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('line 1', `the file is not ${charset ?? charsets[marked]}: name its charset`);
  }
}
