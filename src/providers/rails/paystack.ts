import { z } from 'zod';
import { readPaystack } from '../hooks/paystack.ts';
import { type ProviderClient, shownText, unusableBecause } from '../http-client.ts';
import { isDedicated, isOpen, type Row, readOf, transferEnds, transferEvents } from '../paystack-rows.ts';
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
const namedShape = z.object({ reference: z.union([z.string(), z.number()]) });

const balanceShape = z.object({
  status: z.literal(true),
  data: z.array(z.object({ currency: z.string(), balance: z.int() })),
});

/** How each kind is asked for. */
const kinds = {
  TRANSFER: { path: '/transfer', query: {} },
  CHARGE: { path: '/transaction', query: { status: 'success' } },
} as const;

const REFERENCE_MAX = 300;

/** What names a row, as text. */
function nameOf({ reference, transfer_code: code, id }: Row): string {
  for (const name of [reference, code, id]) {
    if (typeof name === 'number' || (typeof name === 'string' && name !== ''))
      return shownText(`${name}`, REFERENCE_MAX);
  }
  return '';
}

/**
 * A row of a list, parsed as its message: what is UNREADABLE there is so here, and does not count as open.
 *
 * @returns OPEN for one that has not ended; undefined for a payment that did not come to a number of ours
 */
function readRow(kind: ListedMovement['kind'], given: unknown): ListedMovement | 'OPEN' | undefined {
  const data = readOf(given);
  const row = (typeof data === 'object' && data !== null ? data : {}) as Row;
  if (kind === 'CHARGE' && isDedicated(row) === false) return undefined;
  if (isOpen(kind, row)) return 'OPEN';
  const outcome = transferEnds.get(row['status']);
  const transfer = outcome === undefined ? 'transfer.unknown' : transferEvents[outcome];
  const message = Buffer.from(JSON.stringify({ event: kind === 'CHARGE' ? 'charge.success' : transfer, data }));
  const { content } = readPaystack(message.toString());
  if (content.kind !== 'TRANSFER' && content.kind !== 'CHARGE')
    return { kind, reference: nameOf(row), outcome: 'UNREADABLE', message };
  const { reference, amount, currency } = content;
  return {
    kind,
    reference,
    amount,
    currency,
    message,
    outcome: content.kind === 'CHARGE' ? 'SUCCESSFUL' : content.outcome,
  };
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
      const { path, query } = kinds[kind];
      const span = { from: from.toISOString(), to: new Date(until.getTime() - 1).toISOString() };
      const found: ListedMovement[] = [];
      for (let page = 1; page <= PAGES_MAX; page++) {
        const answer = await ask(path, key, { ...query, ...span, perPage: String(PER_PAGE), page: String(page) });
        const { data, meta } = usable(listShape, answer);
        for (const one of data) {
          const listed = readRow(kind, one);
          if (listed !== undefined && listed !== 'OPEN') found.push(listed);
        }
        if (data.length < PER_PAGE && page >= (meta?.pageCount ?? 0)) return found;
      }
      throw new RailDown('Paystack lists more than a day can have');
    },
    async find(kind, reference) {
      const { path } = kinds[kind];
      const answer = await ask(`${path}/verify/${encodeURIComponent(reference)}`, keys[kind]);
      if (answer.status === 404 || answer.status === 400) return undefined;
      const { data } = usable(oneShape, answer);
      const named = namedShape.safeParse(data).data?.reference;
      if (named !== undefined && String(named) !== reference) return undefined;
      const found = readRow(kind, data);
      return found === undefined || found === 'OPEN' ? found : { ...found, reference };
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
