import type { Clock } from '#lib/clock.ts';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { isForCustomer, statusAt } from './link.ts';
import type { LinkParts } from './store.ts';

const PURPOSE = 'federation.approval';
/** A link's id and its signature, in base64url: nothing is kept of it. */
const TOKEN = /^[\w-]{64}$/;
const ID_BYTES = 16;

const signatureOf = (keyring: Keyring, id: Buffer): Buffer => keyring.sign(PURPOSE, id.toString('hex'));

/** Where a customer consents to a link in person, while it waits for her. It gives no power without her proof. */
export function approvalUrlOf(
  { keyring, clock, publicUrl }: { keyring: Keyring; clock: Clock; publicUrl: string },
  { link }: LinkParts,
): string | undefined {
  if (!isForCustomer(link) || statusAt(clock.now(), link) !== 'PENDING') return undefined;
  const id = Buffer.from(link.id.replaceAll('-', ''), 'hex');
  const token = Buffer.concat([id, signatureOf(keyring, id)]).toString('base64url');
  return `${publicUrl}/api/v1/federation/${token}`;
}

/** The id of the link that a token was made for; undefined for a token that we did not make. */
export function linkIdOf(keyring: Keyring, approvalToken: string): string | undefined {
  if (!TOKEN.test(approvalToken)) return undefined;
  const bytes = Buffer.from(approvalToken, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  if (!equalDigests(bytes.subarray(ID_BYTES), signatureOf(keyring, id))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
