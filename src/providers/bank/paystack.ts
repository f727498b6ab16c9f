import { z } from 'zod';
import { type Clock, systemClock } from '#lib/clock.ts';
import { NoAnswer, type ProviderAnswer, type ProviderClient, unusableBecause } from '../http-client.ts';
import { type BankProvider, BankProviderDown } from './port.ts';

/** How long the list of banks is used before it is read again: a new bank is known after that at the latest. */
const LIST_TTL_MS = 6 * 3_600_000;
/** At 100 banks a page. Nigeria has some 250 banks and microfinance banks. */
const PAGES_MAX = 20;

const NAME_MAX = 300;
/** A name that can be stored and shown: cut to its greatest length, with spaces for control characters. */
const shownName = z.string().transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, NAME_MAX));

const listShape = z.object({
  status: z.literal(true),
  data: z.array(z.object({ name: shownName, code: z.string() })),
  meta: z.object({ next: z.string().nullish() }).optional(),
});
const accountShape = z.object({
  status: z.literal(true),
  data: z.object({ account_name: shownName.pipe(z.string().min(1)) }),
});
const refusalShape = z.object({ status: z.literal(false), message: z.string() });

/** The names of the banks by their codes, and until when the list is used. */
interface BankList {
  names: ReadonlyMap<string, string>;
  freshUntilMs: number;
}

/**
 * Paystack's "Resolve Account" and "List Banks". Both are free and change nothing, so a request whose connection broke is
 * sent a second time, but never a third.
 *
 * @see https://paystack.com/docs/api/verification/#resolve-account
 * @see https://paystack.com/docs/api/miscellaneous/#bank
 */
export function paystackBank(
  client: ProviderClient,
  { secretKey, clock = systemClock }: { secretKey: string; clock?: Clock },
): BankProvider {
  const headers = { authorization: `Bearer ${secretKey}` };
  const read = async (path: string, query: Record<string, string>): Promise<ProviderAnswer> => {
    const ask = () => client.ask({ method: 'GET', path, query, headers });
    try {
      return await ask().catch((error: unknown) => {
        if (error instanceof NoAnswer && error.wasCut) return ask();
        throw error;
      });
    } catch (cause) {
      throw cause instanceof NoAnswer ? new BankProviderDown(`Paystack: ${cause.message}`, { cause }) : cause;
    }
  };

  let known: BankList | undefined;
  let reading: Promise<BankList> | undefined;
  const bankNames = async (): Promise<ReadonlyMap<string, string>> => {
    if (known !== undefined && known.freshUntilMs > clock.now().getTime()) return known.names;
    reading ??= readBanks(read)
      .then((names) => (known = { names, freshUntilMs: clock.now().getTime() + LIST_TTL_MS }))
      .finally(() => (reading = undefined));
    return (await reading).names;
  };

  return {
    async enquire({ accountNumber, bankCode }) {
      const bankName = (await bankNames()).get(bankCode);
      if (bankName === undefined) return undefined;
      const answer = await read('/bank/resolve', { account_number: accountNumber, bank_code: bankCode });
      if (isNoSuchAccount(answer)) return undefined;
      const account = accountShape.safeParse(answer.body);
      if (answer.status !== 200 || !account.success) throw new BankProviderDown(`Paystack: ${unusableBecause(answer)}`);
      return { bankName, accountName: account.data.data.account_name };
    },
  };
}

/** Our requests are well formed, so that a refusal means that there is no such account. */
const isNoSuchAccount = ({ status, body }: ProviderAnswer): boolean =>
  (status === 400 || status === 422) && refusalShape.safeParse(body).success;

async function readBanks(
  read: (path: string, query: Record<string, string>) => Promise<ProviderAnswer>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let next: string | null | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { country: 'nigeria', use_cursor: 'true', perPage: '100' };
    const answer = await read('/bank', next ? { ...query, next } : query);
    const parsed = listShape.safeParse(answer.body);
    if (answer.status !== 200 || !parsed.success) throw new BankProviderDown(`Paystack: ${unusableBecause(answer)}`);
    for (const { code, name } of parsed.data.data) names.set(code, name);
    next = parsed.data.meta?.next;
    if (!next) break;
  }
  return names;
}
