import type { Answer, Receiver } from './receiver.ts';

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * What of Paystack assigns account numbers, as it documents its answers: a customer for each e-mail address, and as many accounts of
 * a customer as are asked for.
 *
 * @see https://paystack.com/docs/api/customer/#create and …/dedicated-virtual-account/#create and …#list
 */
export function paystackAccounts(receiver: Receiver) {
  const customers: string[] = [];
  const accounts: { customer: number; number: string }[] = [];
  /** How many answers to a request for an account are lost on their way. */
  let lost = 0;
  /** What is otherwise in its list. */
  let odd: object = {};

  const account = ({ customer, number }: (typeof accounts)[number]) => ({
    bank: { name: 'Paystack-Titan', id: 629, slug: 'titan-paystack' },
    account_name: 'PAYTAG/OKAFOR CHIDI',
    account_number: number,
    assigned: true,
    currency: 'NGN',
    metadata: null,
    active: true,
    id: 253 + customer,
    created_at: '2026-02-01T08:00:00.000Z',
    updated_at: '2026-02-01T08:00:00.000Z',
    customer: { id: customer, customer_code: `CUS_${customer}` },
  });

  receiver.answer(({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://paystack');
    if (pathname === '/customer') {
      const { email } = JSON.parse(body.toString());
      if (!customers.includes(email)) customers.push(email);
      const id = customers.indexOf(email) + 1;
      return json(200, { status: true, message: 'Customer created', data: { id, customer_code: `CUS_${id}`, email } });
    }
    if (method === 'GET') {
      const held = accounts.filter(({ customer }) => String(customer) === searchParams.get('customer'));
      const meta = { total: held.length, skipped: 0, perPage: 50, page: 1, pageCount: 1 };
      return json(200, {
        status: true,
        message: 'Managed accounts successfully retrieved',
        data: held.map((one) => ({ ...account(one), ...odd })),
        meta,
      });
    }
    const customer = Number(String(JSON.parse(body.toString()).customer).slice('CUS_'.length));
    const made = { customer, number: `99300${String(accounts.length).padStart(5, '0')}` };
    accounts.push(made);
    if (lost > 0) {
      lost -= 1;
      return 'drop';
    }
    return json(200, { status: true, message: 'NUBAN successfully created', data: account(made) });
  });
  return {
    accounts,
    /** From now on each account in its list has these members. */
    writes: (members: object) => {
      odd = members;
    },
    /** The next answer to a request for an account does not arrive. */
    loseNext: () => {
      lost += 1;
    },
  };
}
