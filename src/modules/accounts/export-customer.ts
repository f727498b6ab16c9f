import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { ExportOf } from '#lib/room.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { exportChangesAbout, recordChange } from '#modules/audit';
import { lockCustomer } from '#modules/customers';
import { walletsOfCustomer } from '#modules/wallets';
import { countReveal, type RevealBudget } from './budgets.ts';

/** What each room keeps of a person, by the name of its part in the document. */
export type PersonExports = Readonly<Record<string, ExportOf>>;

/** Everything that is kept of a person. */
export interface PersonDocument {
  customerId: string;
  exportedAt: Date;
  /** Each part as its room knows it. */
  data: Record<string, unknown>;
}

/**
 * Everything that is kept of a customer, from all rooms, opened; of long lists the newest, and how many there are. No
 * secret, and nothing that a secret is recognised by. Also of a customer who was erased: what was kept. Audited, and
 * counted with the reveals of the operator.
 *
 * @throws DomainError CUSTOMER_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function exportCustomer(
  deps: {
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    personExports: PersonExports;
    securityLog: SecurityLog;
  } & RevealBudget,
  { actor, id, reason }: { actor: string; id: string; reason: string },
): Promise<PersonDocument> {
  await countReveal(deps, actor);
  const document = await deps.transact(async (tx) => {
    const { tag } = await lockCustomer(tx, id);
    const wallets = await walletsOfCustomer(tx, deps.keyring, id);
    const data: Record<string, unknown> = {};
    for (const [part, exportOf] of Object.entries(deps.personExports)) {
      data[part] = await exportOf({ ...deps, db: tx }, id);
    }
    const others = [tag.id, ...wallets.map(({ view }) => view.reference)];
    data.changesByOperators = await exportChangesAbout(tx, { customerId: id, others });
    const after = { parts: Object.keys(data) };
    await recordChange(tx, { actor, action: 'customer.export', target: id, after, reason });
    return { customerId: id, exportedAt: deps.clock.now(), data };
  });
  deps.securityLog.record('customer_exported', { customerId: id });
  return document;
}
