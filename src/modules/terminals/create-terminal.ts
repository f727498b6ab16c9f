import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { findPartner } from '#modules/clients';
import { readPayTag } from '#modules/tags';
import { insertTerminal } from './store.ts';
import { sealContacts, type Terminal, toTerminal } from './terminal.ts';

export interface NewTerminal {
  partnerId: string;
  serialNumber: string;
  terminalId?: string | undefined;
  merchant?: string | undefined;
  email?: string | undefined;
  phoneNumber?: string | undefined;
  /** The handle it is paid under. Nobody needs to have it yet. */
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
