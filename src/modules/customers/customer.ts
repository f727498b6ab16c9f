import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic } from '#lib/crypto/routing-facts.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { parseHandle, tagRoute } from '#modules/tags';
import { indexOf, openValue } from './seals.ts';
import {
  type CustomerParts,
  customerRoute,
  type PayTagParts,
  selectByBvn,
  selectByHandle,
  selectByIds,
  selectPayTag,
  selectPayTags,
} from './store.ts';

/** A customer, as the rules need them. */
export interface Customer {
  id: string;
  /** The PayTag's handle. */
  tag: string;
  /** The PayTag is closed: another customer may get its handle one day. */
  isClosed: boolean;
  /** By the operator: they log in nowhere, are sent no code, and are linked to no partner. */
  isFrozen: boolean;
  firstName: string;
  lastName: string;
  otherName: string | undefined;
  /** The register holds the other name: only then it is shown in the name. */
  isOtherNameConfirmed: boolean;
  /** On record, proven or not. */
  phone: string | undefined;
  email: string | undefined;
  /** Where codes, statements and notices may go, and nowhere else. */
  proven: Contacts;
  imageUrl: string | undefined;
  /** PHC string; undefined until onboarding completes. */
  passwordHash: string | undefined;
}

/** How a person can be reached. */
export interface Contacts {
  /** E.164. */
  phone: string | undefined;
  email: string | undefined;
}

/** A customer's PayTag, as partners that know the customer see it. */
export interface PayTag {
  /** Undefined when it is closed. */
  tag: string | undefined;
  name: string;
  email: string | undefined;
  phone: string | undefined;
  imageUrl: string | undefined;
}

/** A customer whom money can be sent to by their PayTag. */
export interface Payee {
  customerId: string;
  /** The PayTag is suspended: nothing may be sent to it. */
  isSuspended: boolean;
}

/** The customer with this id. */
export async function findCustomer(db: Executor, keyring: Keyring, id: string): Promise<Customer | undefined> {
  const [found] = await selectByIds(db, [id]);
  return found && toCustomer(keyring, found);
}

/** The customer with this BVN, eleven digits. */
export async function findCustomerByBvn(db: Executor, keyring: Keyring, bvn: string): Promise<Customer | undefined> {
  const found = await selectByBvn(db, indexOf(keyring, 'bvn', bvn));
  return found && toCustomer(keyring, found);
}

/** The customer whose PayTag has this handle; undefined for a closed one. @throws AlteredRecord */
export async function findCustomerByPayTag(
  db: Executor,
  keyring: Keyring,
  handle: string,
): Promise<Customer | undefined> {
  const found = await selectByHandle(db, handle);
  if (found === undefined || found.tagStatus === 'CLOSED') return undefined;
  assertAuthentic(keyring, tagRoute, found.tag);
  return toCustomer(keyring, found);
}

/** A PayTag as the text means it, for comparing: `@Ada` and `ada` are one. */
export const normalPayTag = (paytag: string): string => parseHandle(paytag) ?? paytag;

/** Whose PayTag a text names, with or without its `@`; undefined for a closed one. */
export async function findPayee(db: Executor, paytag: string): Promise<Payee | undefined> {
  const handle = parseHandle(paytag);
  const found = handle === undefined ? undefined : await selectByHandle(db, handle);
  if (found === undefined || found.tagStatus === 'CLOSED') return undefined;
  return { customerId: found.customer.id, isSuspended: found.tagStatus === 'SUSPENDED' };
}

/** The PayTag of a customer, by the customer's id. */
export async function findPayTag(db: Executor, keyring: Keyring, customerId: string): Promise<PayTag | undefined> {
  const parts = await selectPayTag(db, customerId);
  return parts && toPayTag(keyring, parts);
}

/** The PayTags of customers, by their ids. */
export async function findPayTags(
  db: Executor,
  keyring: Keyring,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, PayTag>> {
  if (customerIds.length === 0) return new Map();
  const found = await selectPayTags(db, { ids: customerIds });
  return new Map(found.map((parts) => [parts.id, toPayTag(keyring, parts)]));
}

/** What the PayTags of customers show to their payers, by the customers' ids: no contact is opened. */
export async function findShown(
  db: Executor,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, Omit<PayTag, 'email' | 'phone'>>> {
  if (customerIds.length === 0) return new Map();
  const found = await selectPayTags(db, { ids: customerIds });
  return new Map(found.map((parts) => [parts.id, shownOf(parts)]));
}

/** The handles of customers' PayTags, by their ids. */
export async function findHandles(db: Executor, customerIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (customerIds.length === 0) return new Map();
  const found = await selectByIds(db, customerIds);
  return new Map(found.map(({ customer, handle }) => [customer.id, handle]));
}

/** The handles of customers' PayTags and their names, as payers see both, by the customers' ids. */
export async function findNames(
  db: Executor,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, { tag: string; name: string }>> {
  if (customerIds.length === 0) return new Map();
  const found = await selectByIds(db, customerIds);
  return new Map(
    found.map(({ customer, handle }) => {
      const otherName = customer.otherName ?? undefined;
      return [customer.id, { tag: handle, name: fullName({ ...customer, otherName }) }];
    }),
  );
}

/** The tag that is a customer's PayTag; undefined for a closed one. */
export async function findPayTagId(db: Executor, customerId: string): Promise<string | undefined> {
  const [found] = await selectByIds(db, [customerId]);
  return found === undefined || found.tagStatus === 'CLOSED' ? undefined : (found.customer.tagId ?? undefined);
}

const toPayTag = (keyring: Keyring, parts: PayTagParts): PayTag => ({
  ...shownOf(parts),
  email: openValue(keyring, parts, 'email'),
  phone: openValue(keyring, parts, 'phone'),
});

const shownOf = (parts: PayTagParts): Omit<PayTag, 'email' | 'phone'> => ({
  tag: parts.tagStatus === 'CLOSED' ? undefined : parts.handle,
  name: fullName({ ...parts, otherName: parts.otherName ?? undefined }),
  imageUrl: parts.imageUrl ?? undefined,
});

/** A customer's name as anybody sees it: first and last name, and between them an other name that the register confirmed. */
export function fullName(names: {
  firstName: string;
  otherName?: string | undefined;
  isOtherNameConfirmed: boolean;
  lastName: string;
}): string {
  const { firstName, otherName, isOtherNameConfirmed, lastName } = names;
  return [firstName, isOtherNameConfirmed && otherName, lastName].filter(Boolean).join(' ');
}

/** @throws AlteredRecord for a customer whose PayTag is not the one that we stored */
function toCustomer(keyring: Keyring, { customer, handle, tagStatus }: CustomerParts): Customer {
  assertAuthentic(keyring, customerRoute, customer);
  const phone = openValue(keyring, customer, 'phone');
  const email = openValue(keyring, customer, 'email');
  return {
    id: customer.id,
    tag: handle,
    isClosed: tagStatus === 'CLOSED',
    isFrozen: customer.frozenAt !== null,
    firstName: customer.firstName,
    lastName: customer.lastName,
    otherName: customer.otherName ?? undefined,
    isOtherNameConfirmed: customer.isOtherNameConfirmed,
    phone,
    email,
    proven: {
      phone: customer.phoneProvenAt === null ? undefined : phone,
      email: customer.emailProvenAt === null ? undefined : email,
    },
    imageUrl: customer.imageUrl ?? undefined,
    passwordHash: customer.passwordHash ?? undefined,
  };
}
