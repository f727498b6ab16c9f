import { z } from 'zod';
import { nameText, type ProviderAnswer, type ProviderClient, unusableBecause } from '../http-client.ts';
import { type AccountClaim, type AssignedAccount, type InboundProvider, InboundProviderDown } from './port.ts';

/** The banks' codes at the CBN: Paystack answers names of its own. */
const bankCodes = { 'titan-paystack': '100039', 'wema-bank': '035', 'test-bank': '001' } as const;

const customerShape = z.object({
  status: z.literal(true),
  data: z.object({ id: z.int(), customer_code: nameText(100) }),
});

const accountShape = z.object({
  account_number: z.string().regex(/^\d{10}$/),
  account_name: nameText(300),
  currency: z.literal('NGN'),
  active: z.literal(true),
  bank: z.object({ name: nameText(300), slug: z.string() }),
});
const otherShape = z.union([
  z.object({ active: z.literal(false) }).transform(() => undefined),
  z.object({ bank: z.object({ slug: z.string() }) }).transform(({ bank }) => bank.slug),
]);
/** Whether an account in a list may be one that a bank gave, and that is in use. */
const isMaybeOf = (bank: string, one: unknown): boolean => {
  const other = otherShape.safeParse(one);
  return !other.success || other.data === bank;
};
const listShape = z.object({ status: z.literal(true), data: z.array(z.unknown()) });
const madeShape = z.object({ status: z.literal(true), data: accountShape });

export interface PaystackInbound {
  secretKey: string;
  bank: keyof typeof bankCodes;
  /** Of the addresses by which Paystack knows our wallets. No mail goes there from us. */
  emailDomain: string;
}

/** The address by which Paystack knows a wallet: one customer there for each wallet here. */
const emailOf = (wallet: string, emailDomain: string): string => `${wallet.toLowerCase()}@${emailDomain}`;

/**
 * Paystack's dedicated virtual accounts. A customer of theirs stands for a wallet of ours: "Create Customer" answers the one that
 * there is for an e-mail address, and a customer's account is looked for before one is asked for.
 *
 * @see https://paystack.com/docs/api/customer/#create
 * @see https://paystack.com/docs/api/dedicated-virtual-account/#list
 * @see https://paystack.com/docs/api/dedicated-virtual-account/#create
 */
export function paystackInbound(
  client: ProviderClient,
  { secretKey, bank, emailDomain }: PaystackInbound,
): InboundProvider {
  const headers = { authorization: `Bearer ${secretKey}` };
  const ask = async (request: Omit<Parameters<ProviderClient['ask']>[0], 'headers'>): Promise<ProviderAnswer> =>
    client.ask({ ...request, headers }).catch((cause: unknown) => {
      throw new InboundProviderDown('Paystack does not answer', { cause });
    });

  const customerOf = async ({ wallet, firstName, lastName, phone }: AccountClaim) => {
    const json = {
      email: emailOf(wallet, emailDomain),
      first_name: firstName,
      last_name: lastName,
      ...(phone === undefined ? {} : { phone }),
      metadata: { wallet },
    };
    return usable(customerShape, await ask({ method: 'POST', path: '/customer', json })).data;
  };

  return {
    name: 'paystack',
    async assign(claim) {
      const { id, customer_code: customer } = await customerOf(claim);
      const query = { customer: String(id), currency: 'NGN', active: 'true' };
      const { data: held } = usable(listShape, await ask({ method: 'GET', path: '/dedicated_account', query }));
      const ours = held.filter((one) => isMaybeOf(bank, one));
      const found = ours.map((one) => accountShape.safeParse(one).data).find((one) => one !== undefined);
      if (found !== undefined) return toAssigned(found);
      // It may be the wallet's: a second one is never asked for.
      if (ours.length > 0) throw new InboundProviderDown('Paystack: an account in its list cannot be read');
      const json = { customer, preferred_bank: bank };
      return toAssigned(usable(madeShape, await ask({ method: 'POST', path: '/dedicated_account', json })).data);
    },
  };

  function toAssigned({ account_number, account_name, bank: { name, slug } }: z.output<typeof accountShape>) {
    const bankCode = slug in bankCodes ? bankCodes[slug as keyof typeof bankCodes] : bankCodes[bank];
    return {
      accountNumber: account_number,
      accountName: account_name,
      bankName: name,
      bankCode,
    } satisfies AssignedAccount;
  }
}

/** @throws InboundProviderDown for an answer that is no success, or not as documented */
function usable<Shape extends z.ZodType>(shape: Shape, answer: ProviderAnswer): z.output<Shape> {
  const read = shape.safeParse(answer.body);
  if (answer.status >= 300 || !read.success) throw new InboundProviderDown(`Paystack: ${unusableBecause(answer)}`);
  return read.data;
}
