import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { parseHandle, type TagStatus } from '#modules/tags';
import { fullName } from './customer.ts';
import { indexOf, openValue } from './seals.ts';
import {
  type CustomerFilter,
  type CustomerParts,
  selectByBvn,
  selectByHandle,
  selectByIds,
  selectByPhone,
  selectCustomers,
} from './store.ts';

/** All that is on record of a customer, in the clear: for the operator alone, masked or audited. */
export interface CustomerRecord {
  id: string;
  /** The PayTag's handle, also of one that is closed. */
  tag: string;
  tagStatus: TagStatus;
  name: string;
  firstName: string;
  lastName: string;
  otherName: string | undefined;
  /** Undefined of a customer who was erased: what is kept of it is for an export alone. */
  bvn: string | undefined;
  phone: string | undefined;
  email: string | undefined;
  dateOfBirth: string | undefined;
  address: string | undefined;
  imageUrl: string | undefined;
  hasPassword: boolean;
  frozenAt: Date | undefined;
  bvnHandedBackAt: Date | undefined;
  erasedAt: Date | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** By which the operator finds a customer. */
export type CustomerKey = { paytag: string } | { phone: string } | { bvn: string };

/** Phones may be shared by some; more of one number are a mistake of the search. */
const FOUND_MAX = 100;

/** The record of the customer with this id. */
export async function readRecord(db: Executor, keyring: Keyring, id: string): Promise<CustomerRecord | undefined> {
  const [found] = await selectByIds(db, [id]);
  return found && toRecord(keyring, found);
}

/** What a list shows of a customer: nothing of it is sealed. */
export type CustomerSummary = Omit<
  CustomerRecord,
  'firstName' | 'lastName' | 'otherName' | 'bvn' | 'phone' | 'email' | 'dateOfBirth' | 'address' | 'imageUrl'
>;

/** Customers, newest first, without what is sealed of them. `count` is of all that match. */
export async function listSummaries(
  db: Executor,
  { limit, offset, cursor, ...filter }: CustomerFilter & PageRequest<string>,
): Promise<Listed<CustomerSummary, string>> {
  const { items, ...found } = await selectCustomers(db, filter, { limit, offset, cursor });
  return { ...found, items: items.map(toSummary) };
}

/** The postal address of a customer, in one line: for them alone. */
export async function findPostalAddress(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<string | undefined> {
  const address = (await readRecord(db, keyring, id))?.address;
  const lines = address?.split(/[\r\n]/).map((line) => line.trim());
  return lines?.filter((line) => line !== '').join(', ') || undefined;
}

/** Customers by one of what they are known by, at most a hundred: closed and frozen ones as well, none who was erased. */
export async function findRecords(db: Executor, keyring: Keyring, key: CustomerKey): Promise<CustomerRecord[]> {
  const found = await select(db, keyring, key);
  return found.filter(({ customer }) => customer.erasedAt === null).map((parts) => toRecord(keyring, parts));
}

async function select(db: Executor, keyring: Keyring, key: CustomerKey): Promise<CustomerParts[]> {
  if ('phone' in key) return selectByPhone(db, indexOf(keyring, 'phone', key.phone), FOUND_MAX);
  if ('bvn' in key) return listOf(await selectByBvn(db, indexOf(keyring, 'bvn', key.bvn)));
  const handle = parseHandle(key.paytag);
  return listOf(handle === undefined ? undefined : await selectByHandle(db, handle));
}

const listOf = (found: CustomerParts | undefined): CustomerParts[] => (found === undefined ? [] : [found]);

function toRecord(keyring: Keyring, parts: CustomerParts): CustomerRecord {
  const { customer } = parts;
  return {
    ...toSummary(parts),
    firstName: customer.firstName,
    lastName: customer.lastName,
    otherName: customer.otherName ?? undefined,
    bvn: customer.erasedAt === null ? openValue(keyring, customer, 'bvn') : undefined,
    phone: openValue(keyring, customer, 'phone'),
    email: openValue(keyring, customer, 'email'),
    dateOfBirth: openValue(keyring, customer, 'dateOfBirth'),
    address: openValue(keyring, customer, 'address'),
    imageUrl: customer.imageUrl ?? undefined,
  };
}

function toSummary({ customer, handle, tagStatus }: CustomerParts): CustomerSummary {
  const { id, firstName, lastName, isOtherNameConfirmed, createdAt, updatedAt } = customer;
  const otherName = customer.otherName ?? undefined;
  return {
    id,
    tag: handle,
    tagStatus,
    name: fullName({ firstName, otherName, isOtherNameConfirmed, lastName }),
    hasPassword: customer.passwordHash !== null,
    frozenAt: customer.frozenAt ?? undefined,
    bvnHandedBackAt: customer.bvnHandedBackAt ?? undefined,
    erasedAt: customer.erasedAt ?? undefined,
    createdAt,
    updatedAt,
  };
}
