import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { qrPng } from '#lib/qr-code.ts';
import { publicLink } from '#modules/tags';
import { fullName } from './customer.ts';
import { type EmvInstitution, emvPayload } from './emv-payload.ts';
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
