import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { findSubject, payTagApplicationId, toSubject } from '#modules/applications';
import { findCustomer } from '#modules/customers';
import type { Channel } from '../../providers/messaging/port.ts';

/** Who owns a tag: a customer of ours, whose PayTag it is, or somebody whom an application knows. */
export interface TagOwner {
  isCustomer: boolean;
  applicationId: string;
  applicationName: string;
  subjectId: string;
  /** Her application's name for her; of a customer, the customer's id. */
  externalId: string;
}

/** A tag's owner, of a tag that was read with its owner and her application. */
export const toTagOwner = ({
  owner,
  ownerApp,
}: {
  owner: { id: string; externalId: string };
  ownerApp: { id: string; name: string };
}): TagOwner => ({
  isCustomer: ownerApp.id === payTagApplicationId,
  applicationId: ownerApp.id,
  applicationName: ownerApp.name,
  subjectId: owner.id,
  externalId: owner.externalId,
});

/** What she can say once she has proved herself. */
export const answers = ['approve', 'decline'] as const;
export type Answer = (typeof answers)[number];

/** What somebody has to prove: that she owns this tag, for one purpose. */
export interface Challenge {
  /** As `consent:` and its id. A code that was sent for one purpose proves nothing for another. */
  purpose: string;
  /** What a code for it does, after `to`: whoever was led to the page sees in the message what she answers. */
  about: string;
  /** The tag's handle. */
  tag: string;
  owner: TagOwner;
  /** The application that makes her prove it. */
  askedBy: string;
  /** When the purpose is over. */
  expiresAt: Date;
}

/** How an owner can prove herself. */
export interface AuthenticationMethods {
  password: boolean;
  /** By which a code can be sent. */
  channels: readonly Channel[];
}

type Deps = { db: Database; keyring: Keyring };

/** As `codeThrottle` counts people. */
export const personOf = ({ owner }: Challenge): string =>
  owner.isCustomer ? `customer:${owner.externalId}` : `subject:${owner.subjectId}`;

/**
 * The ways that are open to a tag's owner. For a PayTag all of them, whatever is on record of her: any application can
 * ask, and learns nothing about a customer by it.
 */
export async function authenticationMethods(
  deps: Deps,
  { owner }: Pick<Challenge, 'owner'>,
): Promise<AuthenticationMethods> {
  if (owner.isCustomer) return { password: true, channels: ['sms', 'whatsapp', 'email'] };
  return { password: false, channels: (await emailOfSubject(deps, owner)) === undefined ? [] : ['email'] };
}

/** Where a code may go: the address on record, and no other. */
export async function addressOf(deps: Deps, { owner }: Challenge, channel: Channel): Promise<string | undefined> {
  if (!owner.isCustomer) return channel === 'email' ? emailOfSubject(deps, owner) : undefined;
  const customer = await findCustomer(deps.db, deps.keyring, owner.externalId);
  return channel === 'email' ? customer?.email : customer?.phone;
}

async function emailOfSubject({ db, keyring }: Deps, owner: TagOwner): Promise<string | undefined> {
  const row = await findSubject(db, owner.applicationId, { subjectId: owner.subjectId });
  return toSubject(keyring, row, owner.applicationName).email;
}

/** A code is kept as a keyed digest bound to its purpose: six digits alone could be guessed from any other. */
export const codeDigestOf = (keyring: Keyring, { purpose }: Challenge, code: string): Buffer =>
  keyring.blindIndex('owner_code', `${purpose}:${code}`);
