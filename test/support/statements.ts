import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { asMinor } from '#modules/ledger';
import type { Line, Statement } from '../../src/modules/statements/statement.ts';
import { plainBrand } from './brand/brand.ts';

export interface ReadPdf {
  /** The text of each page, its pieces in the order in which they were written, one space between them. */
  pages: string[];
  title: string;
  language: string;
  /** Names of the fonts that are embedded. */
  fonts: string[];
  /** How far right any text reaches, in points from the left edge of its page. */
  right: number;
}

/** What a reader of PDF makes of a document. */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await task.promise;
  const { info } = (await document.getMetadata()) as { info: { Title?: string; Language?: string } };
  const pages: string[] = [];
  let right = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const texts = items.filter((item) => 'str' in item).filter(({ str }) => str.trim() !== '');
    right = Math.max(right, ...texts.map(({ transform, width }) => Number(transform[4]) + width));
    pages.push(texts.map(({ str }) => str.trim()).join(' '));
  }
  await task.destroy();
  const fonts = [...bytes.toString('latin1').matchAll(/\/FontName \/(\S+)[\s\S]*?\/FontFile2 /g)];
  const { Title: title = '', Language: language = '' } = info;
  return { pages, title, language, fonts: fonts.map(([, name = '']) => name), right };
}

type Move = { amount: bigint } & Partial<Pick<Line, 'at' | 'description' | 'comment' | 'reference' | 'fee'>>;

const FROM = new Date('2026-10-21T23:00:00Z');
const TO = new Date('2026-11-21T13:05:00Z');

/** A statement of these movements (minor units, signed), one minute apart; line `n` has the reference `ref-n-`. */
export function statementOf(moves: readonly Move[], given: Partial<Statement> = {}): Statement {
  let balance = BigInt(given.opening ?? 0n);
  let [credits, debits] = [0n, 0n];
  const lines = moves.map(({ amount, ...rest }, index): Line => {
    balance += amount;
    if (amount > 0n) credits += amount;
    else debits -= amount;
    return {
      at: new Date(FROM.getTime() + index * 60_000),
      description: 'Transfer',
      comment: undefined,
      reference: `ref-${index}-`,
      externalReference: undefined,
      debit: amount < 0n ? asMinor(-amount) : undefined,
      credit: amount > 0n ? asMinor(amount) : undefined,
      fee: asMinor(0n),
      balance: asMinor(balance),
      ...rest,
    };
  });
  async function* pages() {
    for (let first = 0; first < lines.length; first += 250) yield lines.slice(first, first + 250);
  }
  return {
    brand: plainBrand,
    testing: undefined,
    walletId: 7,
    address: undefined,
    code: '7K3M-9QXT-04WE-B2ZC-H5NA',
    verifyAt: 'https://pay.example.com/statement/verify',
    verifyUrl: 'https://pay.example.com/statement/verify?code=7K3M-9QXT-04WE-B2ZC-H5NA',
    holder: 'Ada Obi',
    paytag: 'ada',
    nuban: '9990000017',
    partner: 'Acme Pay',
    currency: 'NGN',
    from: FROM,
    to: TO,
    issuedAt: TO,
    opening: asMinor(0n),
    credits: asMinor(credits),
    debits: asMinor(debits),
    closing: asMinor(balance),
    count: lines.length,
    pages: pages(),
    ...given,
  };
}

/** All that a document is made of. */
export async function written(parts: AsyncIterable<Buffer | string>): Promise<Buffer> {
  return Buffer.concat((await Array.fromAsync(parts)).map((part) => Buffer.from(part)));
}
