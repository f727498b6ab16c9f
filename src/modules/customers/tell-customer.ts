import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { timeOrderedId } from '#lib/random.ts';
import { type Contacts, findCustomer } from './customer.ts';
import { insertNotices, type NoticeRow } from './notice-store.ts';

const RECIPIENT = {
  table: 'notices.notice',
  column: 'recipient_sealed',
  row: ['id', 'customer_id', 'partner_id', 'channel', 'kind', 'detail', 'happened_at'],
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [RECIPIENT];

/** What a notice says, and to whom. */
type Told = Pick<NoticeRow, 'id' | 'customerId' | 'channel' | 'kind' | 'happenedAt'> & {
  partnerId?: string | null | undefined;
  detail?: string | null | undefined;
};

const rowOf = ({ id, customerId, partnerId, channel, kind, detail, happenedAt }: Told) => [
  id,
  customerId,
  partnerId,
  channel,
  kind,
  detail,
  happenedAt,
];

/** Where a notice goes; undefined once it is sent. */
export const recipientOf = (keyring: Keyring, row: NoticeRow): string | undefined =>
  row.recipientSealed === null ? undefined : keyring.open(RECIPIENT, rowOf(row), row.recipientSealed);

/** What was done with a customer's PayTag. */
export interface Deed {
  customerId: string;
  /** Through whom; undefined: nobody's doing but time's. */
  partnerId: string | undefined;
  kind: NoticeRow['kind'];
  /** Of a contact change: what is to come into force, in words, e.g. `phone +234*******67 from 23 Nov 2026, 15:04`. */
  detail?: string | undefined;
  now: Date;
}

/**
 * Has a customer told what was done with their PayTag, at each of their proven contacts. Written in the transaction of what
 * it tells, and sent by a worker after the commit: not without it, and not lost after it. To be called before a contact
 * changes: the old one is told.
 */
export async function tellCustomer(tx: Tx, { keyring }: { keyring: Keyring }, deed: Deed): Promise<void> {
  const { customerId, partnerId, kind, detail, now } = deed;
  const customer = await findCustomer(tx, keyring, customerId);
  if (customer === undefined) throw new Error('a notice is for a customer');
  const told = { customerId, partnerId, kind, detail, happenedAt: now, dueAt: now };
  await insertNotices(
    tx,
    recipientsOf(customer.proven).map(({ channel, to }) => {
      const one = { ...told, id: timeOrderedId(now), channel };
      return { ...one, recipientSealed: keyring.seal(RECIPIENT, rowOf(one), to) };
    }),
  );
}

const recipientsOf = ({ phone, email }: Contacts): { channel: NoticeRow['channel']; to: string }[] => [
  ...(phone === undefined ? [] : [{ channel: 'sms' as const, to: phone }]),
  ...(email === undefined ? [] : [{ channel: 'email' as const, to: email }]),
];
