import { DomainError } from '#lib/domain-error.ts';
import { toMajor } from '#lib/minor-units.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { qrPng } from '#lib/qr-code.ts';
import { publicLink } from '#modules/tags';
import { fullName } from './customer.ts';
import { type CustomerParts, selectByIds } from './store.ts';

/**
 * A QR code that says the public link of a customer's PayTag: a PNG, in base64.
 *
 * @throws DomainError PAYTAG_NOT_FOUND when the PayTag is closed
 */
export async function payTagQr(
  { db, publicUrl }: { db: Database; publicUrl: string },
  customerId: string,
): Promise<string> {
  const { handle } = await withPayTag(db, customerId);
  return qrPng(publicLink(handle, publicUrl));
}

/**
 * What the QR code of a customer says to apps that scan codes of the institution's scheme: EMVCo's merchant-presented payload.
 *
 * @param amount in kobo; the payer enters one where there is none
 * @throws DomainError EMV_QR_NOT_CONFIGURED, PAYTAG_NOT_FOUND when the PayTag is closed
 */
export async function payTagEmvPayload(
  { db, emv }: { db: Database; emv: EmvInstitution | undefined },
  customerId: string,
  amount: bigint | undefined,
): Promise<string> {
  if (emv === undefined) {
    throw new DomainError(
      'EMV_QR_NOT_CONFIGURED',
      'this server is part of no scheme of EMVCo QR codes: leave out format',
    );
  }
  const { customer, handle } = await withPayTag(db, customerId);
  const { firstName, lastName, otherName, isOtherNameConfirmed } = customer;
  const name = fullName({ firstName, lastName, otherName: otherName ?? undefined, isOtherNameConfirmed });
  return emvPayload(emv, { handle, name, amount });
}

async function withPayTag(db: Database, customerId: string): Promise<CustomerParts> {
  const [found] = await selectByIds(db, [customerId]);
  if (found === undefined || found.tagStatus === 'CLOSED') {
    throw new DomainError('PAYTAG_NOT_FOUND', 'the customer has no PayTag any more');
  }
  return found;
}

/** What a merchant-presented code says of the institution behind it. */
export interface EmvInstitution {
  schemeId: string;
  institutionId: string;
  merchantCategoryCode: string;
  city: string;
}

/** Data objects by their ids (EMVCo QRCPS, Merchant-Presented Mode 1.1, table 3.1). */
const ID = {
  format: '00',
  initiation: '01',
  account: '26',
  categoryCode: '52',
  currency: '53',
  amount: '54',
  country: '58',
  name: '59',
  city: '60',
  checksum: '63',
} as const;

/** Those of the template of the account: the first is the scheme's, the others the scheme gives a meaning. */
const ACCOUNT = { schemeId: '00', institutionId: '01', payTag: '02' } as const;

const VERSION = '01';

/** The code can be used once with its amount, or any number of times without one. */
const INITIATION = { anyAmount: '11', oneAmount: '12' } as const;

const NAIRA = '566';

// ISO 4217
const NIGERIA = 'NG';

const NAME_MAX = 25;

/** The most that fits into the thirteen characters of an amount, in kobo. */
export const EMV_AMOUNT_MAX = 999_999_999_999n;

/**
 * The text of a code by which other apps pay a customer: EMVCo's merchant-presented payload. Every character is ASCII.
 *
 * @param amount in kobo, at most EMV_AMOUNT_MAX; the payer enters one where there is none
 */
export function emvPayload(
  { schemeId, institutionId, merchantCategoryCode, city }: EmvInstitution,
  { handle, name, amount }: { handle: string; name: string; amount: bigint | undefined },
): string {
  const account =
    field(ACCOUNT.schemeId, schemeId) + field(ACCOUNT.institutionId, institutionId) + field(ACCOUNT.payTag, handle);
  const payload = [
    field(ID.format, VERSION),
    field(ID.initiation, amount === undefined ? INITIATION.anyAmount : INITIATION.oneAmount),
    field(ID.account, account),
    field(ID.categoryCode, merchantCategoryCode),
    field(ID.currency, NAIRA),
    amount === undefined ? '' : field(ID.amount, toMajor(amount).toFixed(2)),
    field(ID.country, NIGERIA),
    field(ID.name, asciiOf(name).slice(0, NAME_MAX).trim() || handle.slice(0, NAME_MAX)),
    field(ID.city, city),
    `${ID.checksum}04`, // the checksum covers its own id and length
  ].join('');
  return payload + checksumOf(payload);
}

const LENGTH_MAX = 99;

function field(id: string, value: string): string {
  if (value.length === 0 || value.length > LENGTH_MAX)
    throw new RangeError(`data object ${id} has ${value.length} characters`);
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** Letters that Unicode does not decompose, as banks write them. */
const LETTERS: Readonly<Record<string, string>> = {
  Ɓ: 'B',
  ɓ: 'b',
  Ɗ: 'D',
  ɗ: 'd',
  Ƙ: 'K',
  ƙ: 'k',
  Ƴ: 'Y',
  ƴ: 'y',
  Ŋ: 'N',
  ŋ: 'n',
  Ǝ: 'E',
  ǝ: 'e',
  Ə: 'E',
  ə: 'e',
  Ø: 'O',
  ø: 'o',
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  '’': "'",
  '‘': "'",
  ʼ: "'",
};

/** A text in ASCII: letters without their marks, and without what is no letter of it. */
const asciiOf = (text: string): string =>
  text
    .replace(/./gsu, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();

/** CRC-16 with polynomial 0x1021 and start 0xffff (ISO/IEC 13239), in four upper-case hexadecimal digits. */
function checksumOf(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
