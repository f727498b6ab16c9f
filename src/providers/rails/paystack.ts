import { z } from 'zod';
import { type ProviderClient, unusableBecause } from '../http-client.ts';
import { recipientShape } from '../paystack-payee.ts';
import { nameText } from '../said-text.ts';
import { type ListedMovement, type Rail, RailDown } from './port.ts';

const PER_PAGE = 100;
/** More than a day has. */
const PAGES_MAX = 1_000;

const listShape = z.object({
  status: z.literal(true),
  data: z.array(z.unknown()),
  meta: z.object({ pageCount: z.int().optional() }).optional(),
});
const oneShape = z.object({ status: z.literal(true), data: z.unknown() });

const balanceShape = z.object({
  status: z.literal(true),
  data: z.array(z.object({ currency: z.string(), balance: z.int() })),
});

const amount = z.int().min(0).max(999_999_999_999_999);
const transferShape = z.object({
  reference: nameText(300),
  amount,
  currency: nameText(10),
  status: z.enum(['success', 'failed', 'reversed']),
  transfer_code: nameText(100).optional().catch(undefined),
  recipient: recipientShape,
});
const namedShape = z.object({ reference: z.string() });
const words = z.string().nullish();
const chargeShape = z.object({
  reference: nameText(300),
  amount,
  currency: nameText(10),
  status: z.literal('success'),
  channel: z.literal('dedicated_nuban'),
  authorization: z
    .object({
      sender_name: words,
      sender_bank: words,
      sender_bank_account_number: words,
      narration: words,
      receiver_bank_account_number: words,
    })
    .partial(),
  metadata: z.object({ receiver_account_number: words }).partial().nullish().catch(null),
});

const outcomes = { success: 'SUCCESSFUL', failed: 'FAILED', reversed: 'REVERSED' } as const;

/** How each kind is asked for; undefined: it is not one that has ended, or none of ours. */
const kinds = {
  TRANSFER: {
    path: '/transfer',
    query: {},
    read: (data: unknown): ListedMovement | undefined => {
      const one = transferShape.safeParse(data).data;
      return one && movement('TRANSFER', `transfer.${one.status}`, outcomes[one.status], one);
    },
  },
  CHARGE: {
    path: '/transaction',
    query: { status: 'success' },
    read: (data: unknown): ListedMovement | undefined => {
      const one = chargeShape.safeParse(data).data;
      return one && movement('CHARGE', 'charge.success', 'SUCCESSFUL', one);
    },
  },
};

function movement(
  kind: ListedMovement['kind'],
  event: string,
  outcome: ListedMovement['outcome'],
  data: { reference: string; amount: number; currency: string },
): ListedMovement {
  const message = Buffer.from(JSON.stringify({ event, data }));
  return { kind, reference: data.reference, amount: BigInt(data.amount), currency: data.currency, outcome, message };
}

/**
 * Paystack's "List Transfers", "List Transactions" and "Verify" of both, and "Check Balance".
 *
 * @param keys ours at Paystack for each kind; undefined where it does not carry them
 * @see https://paystack.com/docs/api/transfer/#list, …/transaction/#list and …/transfer-control/#balance
 */
export function paystackRail(
  client: ProviderClient,
  keys: Readonly<Record<ListedMovement['kind'], string | undefined>>,
): Rail {
  const headersOf = (key: string | undefined) => ({ authorization: `Bearer ${key}` });
  const ask = async (path: string, key: string | undefined, query: Record<string, string> = {}) =>
    client.ask({ method: 'GET', path, query, headers: headersOf(key) }).catch((cause: unknown) => {
      throw new RailDown('Paystack does not answer', { cause });
    });

  return {
    name: 'paystack',
    carries: (['TRANSFER', 'CHARGE'] as const).filter((kind) => keys[kind] !== undefined),
    async balance() {
      const { data } = usable(balanceShape, await ask('/balance', keys.TRANSFER ?? keys.CHARGE));
      return BigInt(data.find(({ currency }) => currency === 'NGN')?.balance ?? 0);
    },
    async list(kind, { from, until }) {
      const key = keys[kind];
      if (key === undefined) return undefined;
      const { path, query, read } = kinds[kind];
      const span = { from: from.toISOString(), to: new Date(until.getTime() - 1).toISOString() };
      const found: ListedMovement[] = [];
      for (let page = 1; page <= PAGES_MAX; page++) {
        const answer = await ask(path, key, { ...query, ...span, perPage: String(PER_PAGE), page: String(page) });
        const { data, meta } = usable(listShape, answer);
        for (const one of data) {
          const listed = read(one);
          if (listed !== undefined) found.push(listed);
        }
        if (data.length < PER_PAGE && page >= (meta?.pageCount ?? 0)) return found;
      }
      throw new RailDown('Paystack lists more than a day can have');
    },
    async find(kind, reference) {
      const { path, read } = kinds[kind];
      const answer = await ask(`${path}/verify/${encodeURIComponent(reference)}`, keys[kind]);
      if (answer.status === 404 || answer.status === 400) return undefined;
      const { data } = usable(oneShape, answer);
      if (namedShape.safeParse(data).data?.reference !== reference) return undefined;
      return read(data) ?? 'OPEN';
    },
  };
}

/** @throws RailDown for an answer that is no success, or not as documented */
function usable<Shape extends z.ZodType>(
  shape: Shape,
  answer: Awaited<ReturnType<ProviderClient['ask']>>,
): z.output<Shape> {
  const read = shape.safeParse(answer.body);
  if (answer.status >= 300 || !read.success) throw new RailDown(`Paystack: ${unusableBecause(answer)}`);
  return read.data;
}
