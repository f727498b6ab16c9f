import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { findSubject, payTagApplicationId, toSubject } from '#modules/clients';
import { findCustomer } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { addressFor, type CodeLimits, codeThrottle } from '#modules/limits';
import type { Channel } from '../../providers/messaging/port.ts';

/** Who owns a tag: a customer of ours, whose PayTag it is, or somebody whom an application knows. */
export interface TagOwner {
  isCustomer: boolean;
  applicationId: string;
  applicationName: string;
  subjectId: string;
  /** The application's name for the owner; of a customer, the customer's id. */
  externalId: string;
}

/** The owner of a tag that was read with its owner and their application. */
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

/** What owners can say once they have proved that the tag is theirs. */
export const answers = ['approve', 'decline'] as const;
export type Answer = (typeof answers)[number];

/** What somebody has to prove: that they own this tag, for one purpose. */
export interface Challenge {
  /** E.g. `consent:` and its id. A code that was sent for one purpose proves nothing for another. */
  purpose: string;
  /** What a code for it does, after `to`: whoever was led to the page sees in the message what they answer. */
  about: string;
  /** The tag's handle. */
  tag: string;
  owner: TagOwner;
  /** The application that asks for the proof. */
  requesterId: string;
  /** When the purpose expires. */
  expiresAt: Date;
}

/** How an owner can prove that a tag is theirs. */
export interface AuthenticationMethods {
  password: boolean;
  /** By which a code can be sent. */
  channels: readonly Channel[];
}

type Deps = { db: Database; keyring: Keyring };

/** Holds the owner's codes to limits: those of the application that asks, and those that all applications share. */
export const ownerCodeThrottle = (
  deps: { throttles: Throttles; limits: CodeLimits },
  { owner, requesterId }: Challenge,
) => {
  const person = owner.isCustomer ? `customer:${owner.externalId}` : `subject:${owner.subjectId}`;
  return codeThrottle(deps, { requesterId, requester: 'application', person });
};

/**
 * The methods that are open to a tag's owner. For a PayTag all of them, whatever is on record of its owner: any
 * application can ask, and learns nothing about a customer by it.
 */
export async function authenticationMethods(
  deps: Deps,
  { owner }: Pick<Challenge, 'owner'>,
): Promise<AuthenticationMethods> {
  if (owner.isCustomer) return { password: true, channels: ['sms', 'whatsapp', 'email'] };
  return { password: false, channels: (await emailOfSubject(deps, owner)) === undefined ? [] : ['email'] };
}

/** Where a code may go: a customer's proven contact, a subject's address on record, and no other; nowhere for who is frozen. */
export async function addressOf(deps: Deps, { owner }: Challenge, channel: Channel): Promise<string | undefined> {
  if (!owner.isCustomer) return addressFor({ email: await emailOfSubject(deps, owner) }, channel);
  const customer = await findCustomer(deps.db, deps.keyring, owner.externalId);
  return customer === undefined || customer.isFrozen ? undefined : addressFor(customer.proven, channel);
}

async function emailOfSubject({ db, keyring }: Deps, owner: TagOwner): Promise<string | undefined> {
  const row = await findSubject(db, keyring, owner.applicationId, { subjectId: owner.subjectId });
  return toSubject(keyring, row, owner.applicationName).email;
}
