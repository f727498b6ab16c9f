import { z } from 'zod';
import type { SaidPayee } from './payout/port.ts';

/** What Paystack says of a transfer or of a payment that came in: as a message, in a list, or asked about it. */
export type Row = Record<string, unknown>;

const member = z.string().max(50).optional().catch(undefined);

/** The recipient of a transfer, as far as an answer or a message names it: it may be a number, or without its account. */
export const recipientShape = z
  .object({ details: z.object({ account_number: member, bank_code: member }) })
  .optional()
  .catch(undefined);

/** Whom Paystack says that a transfer goes to. */
export const payeeOf = (recipient: z.output<typeof recipientShape>): SaidPayee => ({
  accountNumber: recipient?.details.account_number,
  bankCode: recipient?.details.bank_code,
});

/** What a transfer has come to, by its status. One of any other status has not ended. */
export const transferEnds: ReadonlyMap<unknown, 'SUCCESSFUL' | 'FAILED' | 'REVERSED'> = new Map([
  ['success', 'SUCCESSFUL'],
  ['failed', 'FAILED'],
  ['abandoned', 'FAILED'],
  ['rejected', 'FAILED'],
  ['blocked', 'FAILED'],
  ['reversed', 'REVERSED'],
]);

/** The events of a transfer. */
export const transferEvents = {
  SUCCESSFUL: 'transfer.success',
  FAILED: 'transfer.failed',
  REVERSED: 'transfer.reversed',
} as const;

/** Statuses of a transfer that has not ended. */
const openTransfers: readonly unknown[] = ['pending', 'otp', 'received', 'processing', 'queued'];
/** Statuses of a payment that has not come in, or not stayed. */
const otherCharges: readonly unknown[] = [
  'failed',
  'abandoned',
  'pending',
  'ongoing',
  'processing',
  'queued',
  'reversed',
];

/** Whether a row says that no money has moved. */
export const isOpen = (kind: 'TRANSFER' | 'CHARGE', { status }: Row): boolean =>
  (kind === 'TRANSFER' ? openTransfers : otherCharges).includes(status);

const DEDICATED = 'dedicated_nuban';

/** Whether a payment came to an account number that Paystack assigned; undefined where it does not say how it came. */
export function isDedicated({ channel, authorization, metadata }: Row): boolean | undefined {
  const from = authorization as Row | null | undefined;
  const named = [channel, from?.['channel']].find((one) => typeof one === 'string');
  if (named !== undefined) return named === DEDICATED;
  const receiver =
    from?.['receiver_bank_account_number'] ?? (metadata as Row | null | undefined)?.['receiver_account_number'];
  return receiver === undefined || receiver === null ? undefined : true;
}

/** The members of a row that are read: some of the others differ each time. */
const READ = {
  reference: true,
  amount: true,
  currency: true,
  status: true,
  transfer_code: true,
  id: true,
  channel: true,
  recipient: { details: { account_number: true, bank_code: true } },
  authorization: {
    channel: true,
    sender_name: true,
    sender_bank: true,
    sender_bank_account_number: true,
    narration: true,
    receiver_bank_account_number: true,
  },
  metadata: { receiver_account_number: true },
} as const;
interface Members {
  readonly [name: string]: true | Members;
}

/** A row with only the members that are read, so that it is the same each time. */
export const readOf = (row: unknown, members: Members = READ): unknown =>
  typeof row !== 'object' || row === null || Array.isArray(row)
    ? row
    : Object.fromEntries(
        Object.entries(members).flatMap(([name, within]) => {
          const value = (row as Row)[name];
          return value === undefined ? [] : [[name, within === true ? value : readOf(value, within)]];
        }),
      );
