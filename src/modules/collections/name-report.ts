import { sha256 } from '#lib/crypto/digest.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { lockReport, selectNamers } from './payment-store.ts';

/** The reference under which a report is booked for its partner. */
interface NamedReport {
  reference: string;
  /** The rail's own, where the reference is ours. */
  externalReference?: string | undefined;
}

/** Our reference of a report whose own is something else's of its partner. */
export const ourReportReference = (theirs: string): string => `RPT-${sha256(theirs).toString('hex').slice(0, 32)}`;

/**
 * The reference of what a rail reports for a partner: the rail's own, or one of ours where something else of this partner
 * has it, so that no two movements of one wallet have one reference. A repeated report gets that of the first. Makes others
 * who name the same report wait until this transaction ends; comes before any other lock.
 */
export async function nameReport(
  tx: Tx,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<NamedReport> {
  const ours = ourReportReference(reference);
  await lockReport(tx, partnerId, reference);
  const named = await selectNamers(tx, partnerId, [reference, ours]);
  const isOurs =
    named.some((one) => one.namer === 'RAIL' && one.reference === ours) ||
    (named.length > 0 && !named.some((one) => one.namer === 'RAIL' && one.reference === reference));
  return isOurs ? { reference: ours, externalReference: reference } : { reference };
}
