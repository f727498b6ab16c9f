import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { findPartner } from '#modules/clients';
import { asMinor, type Minor } from '#modules/ledger';
import { readPayTag } from '#modules/tags';
import { insertTerminal, selectTerminal, selectTerminalById, type TerminalRow } from './store.ts';

/** A device at which customers pay. */
export interface Terminal {
  id: number;
  serialNumber: string;
  partnerId: string;
  terminalId: string | undefined;
  merchant: string | undefined;
  email: string | undefined;
  phoneNumber: string | undefined;
  paytag: string | undefined;
  status: string;
  metadata: Record<string, unknown> | undefined;
  /** What its payments have brought into the float, less the charges; minor units. */
  balance: Minor;
  createdAt: Date;
}

const columns = {
  email: { table: 'terminals.terminal', column: 'email_sealed', row: ['serial_number', 'partner_id'] },
  phone: { table: 'terminals.terminal', column: 'phone_sealed', row: ['serial_number', 'partner_id'] },
} as const;

/** What a rekey seals again. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** The contacts of a terminal as they are stored: sealed. */
const sealContacts = (
  keyring: Keyring,
  { serialNumber, partnerId }: Pick<TerminalRow, 'serialNumber' | 'partnerId'>,
  { email, phoneNumber }: { email?: string | undefined; phoneNumber?: string | undefined },
) => ({
  emailSealed: email === undefined ? null : keyring.seal(columns.email, [serialNumber, partnerId], email),
  phoneSealed: phoneNumber === undefined ? null : keyring.seal(columns.phone, [serialNumber, partnerId], phoneNumber),
});

/** A stored terminal, its contacts opened. */
export const toTerminal = (keyring: Keyring, row: TerminalRow): Terminal => ({
  id: row.id,
  serialNumber: row.serialNumber,
  partnerId: row.partnerId,
  terminalId: row.terminalId ?? undefined,
  merchant: row.merchant ?? undefined,
  email:
    row.emailSealed === null
      ? undefined
      : keyring.open(columns.email, [row.serialNumber, row.partnerId], row.emailSealed),
  phoneNumber:
    row.phoneSealed === null
      ? undefined
      : keyring.open(columns.phone, [row.serialNumber, row.partnerId], row.phoneSealed),
  paytag: row.paytag ?? undefined,
  status: row.status,
  metadata: row.metadata ?? undefined,
  balance: asMinor(row.balance),
  createdAt: row.createdAt,
});

/** Which terminal: one of this partner, or of any partner when none is named. */
export interface TerminalName {
  serialNumber: string;
  partnerId?: string | undefined;
}

/** The row of a terminal. @throws DomainError TERMINAL_NOT_FOUND, also for a terminal of another partner; AlteredRecord */
export async function requireTerminal(
  db: Executor,
  keyring: Keyring,
  { serialNumber, partnerId }: TerminalName,
): Promise<TerminalRow> {
  const found = await selectTerminal(db, keyring, serialNumber);
  if (found === undefined || (partnerId !== undefined && found.partnerId !== partnerId)) {
    throw new DomainError('TERMINAL_NOT_FOUND', 'there is no such terminal');
  }
  return found;
}

/** The terminal of a serial number, of any partner. @throws DomainError TERMINAL_NOT_FOUND */
export async function findTerminal(db: Executor, keyring: Keyring, serialNumber: string): Promise<Terminal> {
  return toTerminal(keyring, await requireTerminal(db, keyring, { serialNumber }));
}

/** The terminal of one of our ids. */
export async function findTerminalById(db: Executor, keyring: Keyring, id: number): Promise<Terminal> {
  const found = await selectTerminalById(db, keyring, id);
  if (found === undefined) throw new Error(`there is no terminal ${id}`);
  return toTerminal(keyring, found);
}

export interface NewTerminal {
  partnerId: string;
  serialNumber: string;
  terminalId?: string | undefined;
  merchant?: string | undefined;
  email?: string | undefined;
  phoneNumber?: string | undefined;
  /** The handle it is paid under. It need not exist yet. */
  paytag?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  reason?: string | undefined;
}

/**
 * Registers a terminal for a partner. Audited.
 *
 * @throws DomainError PARTNER_NOT_FOUND, INVALID_PAYTAG, TERMINAL_EXISTS for a serial number that is in use
 */
export async function createTerminal(
  { transact, db, keyring, clock }: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  actor: string,
  { email, phoneNumber, reason, ...given }: NewTerminal,
): Promise<Terminal> {
  const paytag = given.paytag === undefined ? undefined : readPayTag(given.paytag);
  if ((await findPartner(db, given.partnerId)) === undefined) {
    throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  }
  const values = { ...given, paytag, ...sealContacts(keyring, given, { email, phoneNumber }), createdAt: clock.now() };
  return transact(async (tx) => {
    const created = await insertTerminal(tx, keyring, values);
    if (created === undefined) throw new DomainError('TERMINAL_EXISTS', 'a terminal has this serial number already');
    const { partnerId, serialNumber, terminalId, merchant } = given;
    await recordChange(tx, {
      actor,
      action: 'terminal.create',
      target: serialNumber,
      after: { partnerId, terminalId, merchant, paytag },
      reason,
    });
    return toTerminal(keyring, created);
  });
}
