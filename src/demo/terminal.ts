import type { DepsOf } from '#lib/deps-of.ts';
import { randomDigits } from '#lib/random.ts';
import { reportTerminalPayment } from '#modules/collections';
import { asMinor, type Minor } from '#modules/ledger';
import { createSplit, createTerminal } from '#modules/terminals';

/** The amounts to be paid at the terminal, and how much of each is paid already. */
const splits: readonly { title: string; amount: Minor; paid?: Minor }[] = [
  { title: 'School fees, first term', amount: asMinor(45_000_00n), paid: asMinor(45_000_00n) },
  { title: 'Fridge', amount: asMinor(180_000_00n), paid: asMinor(60_000_00n) },
  { title: 'Phone', amount: asMinor(95_000_00n) },
];

/**
 * Creates a terminal of the partner with three splits: one that is paid, one that is paid in part, and one that is
 * pending. Returns its serial number.
 */
export async function createDemoTerminal(
  deps: DepsOf<typeof createTerminal> & DepsOf<typeof createSplit> & DepsOf<typeof reportTerminalPayment>,
  actor: string,
  { partnerId, paytag }: { partnerId: string; paytag: string },
): Promise<string> {
  const serialNumber = `DEMO-${randomDigits(8)}`;
  await createTerminal(deps, actor, { partnerId, serialNumber, merchant: 'Demo Stores', paytag });
  for (const { title, amount, paid } of splits) {
    const terminal = { serialNumber, partnerId };
    const { reference: split } = await createSplit(deps, { terminal, amount, title, actor });
    if (paid === undefined) continue;
    await reportTerminalPayment(deps, {
      actor,
      terminal: serialNumber,
      split,
      amount: paid,
      reference: `demo-card-${split}`,
      sender: { name: 'Chidi Okafor', type: 'CARD' },
    });
  }
  return serialNumber;
}
