import { beforeAll, describe, expect, it } from 'vitest';
import { bookInbox, receiveMessage } from '#modules/collections';
import { sendPayouts } from '#modules/payouts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants, FAILED, whileAltered } from '../../support/books.ts';
import { inboundsOf } from '../../support/inbound.ts';
import { customerToken } from '../../support/onboarding.ts';
import { ACCOUNT, scriptedProvider } from '../../support/payouts.ts';
import { decide, initiate, newSide, offer } from '../../support/switch.ts';
import { kycWallet, loggedIn, moveMoney, newReference, pay } from '../../support/wallets.ts';

const server = useApp();
let partner: TestPartner;
const whole = 'routing_facts_are_authentic';

beforeAll(async () => {
  partner = await server.newPartner({ float: 100_000 });
});

const altered = (table: string, changes: string[], meanwhile: () => Promise<void>, seenBy = 'sealed_values_open') =>
  whileAltered(server, { table, changes, seenBy }, meanwhile);

describe('an account number that a provider assigned', () => {
  const numbered = async () => {
    const wallet = await kycWallet(server, partner);
    const url = `/v2/partner/wallet/${wallet}/account`;
    const answer = (await server.call('POST', url, { headers: partner.headers })).json();
    return { wallet, accountNumber: String(answer.AccountNumber) };
  };
  const payInto = async (accountNumber: string): Promise<string> => {
    const reference = newReference();
    const said = { reference, amount: 50_000, currency: 'NGN', accountNumber, sender: { name: 'Randall Horton' } };
    const body = Buffer.from(JSON.stringify(said));
    await receiveMessage(server.resources, { provider: 'simulator', origin: 'HOOK', body });
    server.clock.advance(4_000);
    await bookInbox(server.resources);
    return reference;
  };

  it.each<[string, (mine: string, theirs: string) => string[]]>([
    [
      'was given to another wallet',
      (mine, theirs) => [
        `delete from inbound_accounts.account where wallet = '${theirs}'`,
        `update inbound_accounts.account set wallet = '${theirs}' where wallet = '${mine}'`,
      ],
    ],
    [
      'stands in the row of another wallet, with all that is sealed',
      (mine, theirs) => [
        `with mine as (delete from inbound_accounts.account where wallet = '${mine}' returning *)
           update inbound_accounts.account a set account_index = sha256(m.account_index), bank_code = m.bank_code,
               account_number_sealed = m.account_number_sealed, account_name_sealed = m.account_name_sealed
             from mine m where a.wallet = '${theirs}'`,
        `update inbound_accounts.account set account_index = (select account_index from public.kept where wallet = '${mine}')
           where wallet = '${theirs}'`,
      ],
    ],
    [
      'has another bank now',
      (mine) => [`update inbound_accounts.account set bank_code = '044' where wallet = '${mine}'`],
    ],
  ])(
    'credits nobody when it %s: the money waits, and reaches its wallet when all is right again',
    async (_what, changes) => {
      const [mine, theirs] = [await numbered(), await numbered()];
      let reference = '';
      await altered('inbound_accounts.account', changes(mine.wallet, theirs.wallet), async () => {
        reference = await payInto(mine.accountNumber);
        expect(await inboundsOf(server, reference)).toEqual([]);
        const [message] = (await server.operate('GET', `/inbox?reference=${reference}`)).json().items;
        expect(message).toMatchObject({ state: 'DIFFERENT', difference: 'ACCOUNT_UNKNOWN' });
      });
      server.clock.advance(3_600_000);
      await bookInbox(server.resources);
      expect(await inboundsOf(server, reference)).toMatchObject([{ wallet: mine.wallet, amount: '50000' }]);
    },
  );
});

describe('the bank account that a customer has linked', () => {
  it.each([
    ['another customer’s', 'bank_code = o.bank_code, account_index = o.account_index'],
    ['another customer’s, though it looks like theirs', 'bank_name = o.bank_name'],
  ])('is paid nothing when what is sealed in it is %s', async (_what, more) => {
    const [ada, bayo] = [await loggedIn(server, partner, 5_000), await loggedIn(server, partner, 5_000)];
    for (const { headers } of [ada, bayo]) {
      const answer = await server.call('POST', '/v2/sso/wallet/bank-account', { headers, payload: ACCOUNT });
      expect(answer.statusCode).toBe(200);
    }
    const swap = `update bank_accounts.linked_account t set ${more}, account_number_sealed = o.account_number_sealed,
        account_name_sealed = o.account_name_sealed from public.kept o
      where (t.customer_id, o.customer_id) in (
        select a.customer_id, b.customer_id from public.kept a, public.kept b where a.customer_id <> b.customer_id)`;
    await altered('bank_accounts.linked_account', [swap], async () => {
      const payload = { amount: 1_000, reference: newReference() };
      await expect(server.call('POST', '/v2/sso/payout', { headers: ada.headers, payload })).rejects.toThrow(FAILED);
    });
    await server.owner.query('delete from bank_accounts.linked_account');
  });

  it('is paid nothing when it is said to be at another bank', async () => {
    const { headers } = await loggedIn(server, partner, 5_000);
    await server.call('POST', '/v2/sso/wallet/bank-account', { headers, payload: ACCOUNT });
    const change = `update bank_accounts.linked_account set bank_code = '044'`;
    await altered('bank_accounts.linked_account', [change], async () => {
      const payload = { amount: 1_000, reference: newReference() };
      await expect(server.call('POST', '/v2/sso/payout', { headers, payload })).rejects.toThrow(FAILED);
    });
  });
});

describe('a wallet', () => {
  const route = (changes: string[], meanwhile: () => Promise<void>) =>
    altered('wallets.partner_wallet', changes, meanwhile, whole);

  it.each([
    ['another account', 'account_id = (select account_id from public.kept where reference = $theirs)'],
    ['another reference', 'reference = $theirs'],
    ['another partner', 'partner_id = $partner'],
    ['another person', '(customer_id, kyc_profile_id) = (null, (select min(id) from wallets.kyc_profile))'],
  ])('moves no money of its partner’s when it has %s', async (what, set) => {
    const other = await server.newPartner({ float: 1_000 });
    const [mine, theirs] = [await kycWallet(server, partner), await kycWallet(server, other)];
    const said = set.replaceAll('$theirs', `'${theirs}'`).replaceAll('$partner', `'${other.id}'`);
    const changes = [
      `delete from wallets.partner_wallet where reference = '${theirs}'`,
      `update wallets.partner_wallet set ${said} where reference = '${mine}'`,
    ];
    const [caller, wallet] =
      what === 'another partner' ? [other, mine] : what === 'another reference' ? [partner, theirs] : [partner, mine];
    await route(changes, async () => {
      const moved = moveMoney(server, caller, wallet, 'credit', { amount: 10, reference: newReference() });
      await expect(moved).rejects.toThrow(FAILED);
    });
    const reference = newReference();
    const told = await moveMoney(server, partner, mine, 'credit', { amount: 10, reference });
    expect(told.json()).toMatchObject({ Status: 'Successful' });
  });

  it('is neither read, nor pays, nor is paid for the customer whose it is not', async () => {
    const [ada, bayo, chi] = [
      await loggedIn(server, partner, 100),
      await loggedIn(server, partner, 100),
      await loggedIn(server, partner, 100),
    ];
    const swap = `update wallets.partner_wallet w set customer_id = (select customer_id from public.kept where reference = '${bayo.wallet}')
      where reference = '${ada.wallet}'`;
    const gone = `delete from wallets.partner_wallet where reference = '${bayo.wallet}'`;
    await route([gone, swap], async () => {
      const reads = ['/v2/sso/wallet', '/v2/sso/wallet/limit', '/v2/sso/transaction'];
      for (const url of reads) {
        await expect(server.call('GET', url, { headers: bayo.headers })).rejects.toThrow(FAILED);
      }
      const payload = { amount: 10, reference: newReference(), paytag: chi.paytag };
      await expect(pay(server, bayo, payload)).rejects.toThrow(FAILED);
      await expect(pay(server, chi, { ...payload, paytag: bayo.paytag })).rejects.toThrow(FAILED);
    });
  });

  it('is not paid what is sent to a PayTag when somebody else says that it is the primary one', async () => {
    const [ada, chi] = [await loggedIn(server, partner), await loggedIn(server, partner, 100)];
    const other = await server.newPartner();
    const linked = await server.call('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers: other.headers });
    const elsewhere = linked.json<{ Reference: string }>().Reference;
    const set = (wallet: string, isPrimary: boolean) =>
      `update wallets.partner_wallet set is_primary = ${isPrimary} where reference = '${wallet}'`;
    await route([set(ada.wallet, false), set(elsewhere, true)], async () => {
      const payload = { amount: 10, reference: newReference(), paytag: ada.paytag };
      await expect(pay(server, chi, payload)).rejects.toThrow(FAILED);
    });
  });
});

/** Gives one row what another one has of a column, which no two may have. */
const swapped = (table: string, column: string, [one, other]: [string, string]): string[] => [
  `update ${table} set ${column} = 'moving' where ${column} = '${other}'`,
  `update ${table} set ${column} = '${other}' where ${column} = '${one}'`,
  `update ${table} set ${column} = '${one}' where ${column} = 'moving'`,
];

describe('a PayTag', () => {
  it.each<[string, string, (ada: string, bayo: string) => string[]]>([
    ['the handle of another', 'tags.tag', (ada, bayo) => swapped('tags.tag', 'handle', [ada, bayo])],
    [
      'another subject',
      'tags.tag',
      (ada, bayo) => [
        `update tags.tag set subject_id = (select subject_id from public.kept where handle = '${bayo}') where handle = '${ada}'`,
      ],
    ],
    [
      'another customer',
      'customers.customer',
      (ada, bayo) => [
        `update customers.customer set tag_id = null where tag_id = (select id from tags.tag where handle = '${ada}')`,
        `update customers.customer set tag_id = (select id from tags.tag where handle = '${ada}')
           where tag_id = (select id from tags.tag where handle = '${bayo}')`,
      ],
    ],
  ])('with %s is neither paid nor logs anybody in', async (_what, table, changes) => {
    const [ada, bayo, chi] = [
      await loggedIn(server, partner),
      await loggedIn(server, partner),
      await loggedIn(server, partner, 100),
    ];
    const said = changes(ada.paytag, bayo.paytag);
    const meanwhile = async () => {
      const payload = { amount: 10, reference: newReference(), paytag: ada.paytag };
      await expect(pay(server, chi, payload)).rejects.toThrow(FAILED);
      await expect(customerToken(server, partner, ada.paytag)).rejects.toThrow(FAILED);
    };
    await altered(table, said, meanwhile, whole);
  });

  it('is paid by no application while its subject is another customer’s', async () => {
    const [sender, ada, bayo] = [
      await newSide(server),
      await loggedIn(server, partner),
      await loggedIn(server, partner),
    ];
    const idOf = (tag: string) =>
      `(select id::text from customers.customer where tag_id = (select id from tags.tag where handle = '${tag}'))`;
    const changes = [
      `update applications.subject set external_id = 'moving' where external_id = ${idOf(bayo.paytag)}`,
      `update applications.subject set external_id = ${idOf(bayo.paytag)} where external_id = ${idOf(ada.paytag)}`,
    ];
    const meanwhile = () => expect(initiate(server, sender, { receiverTag: ada.paytag })).rejects.toThrow(FAILED);
    await altered('applications.subject', changes, meanwhile, whole);
  });
});

describe('an account', () => {
  const change = async (one: string, other: string, meanwhile: () => Promise<void>) =>
    altered('ledger.account', swapped('ledger.account', 'reference', [one, other]), meanwhile, whole);

  it('pays nothing as the float of another partner', async () => {
    const other = await server.newPartner({ float: 1_000 });
    const wallet = await kycWallet(server, other);
    await change(partner.id, other.id, async () => {
      const moved = moveMoney(server, other, wallet, 'credit', { amount: 10, reference: newReference() });
      await expect(moved).rejects.toThrow(FAILED);
      const funded = { amount: 10, currency: 'NGN', reference: newReference(), reason: 'a test' };
      await expect(server.operate('POST', `/partners/${other.id}/float`, funded)).rejects.toThrow(FAILED);
    });
  });

  it('neither pays nor is paid as the settlement wallet of another application', async () => {
    const [acme, bola] = [await newSide(server), await newSide(server, 'Bola Bank')];
    const { id } = await offer(server, acme, bola);
    await change(acme.applicationId, bola.applicationId, async () => {
      await expect(decide(server, bola, id, 'accept')).rejects.toThrow(FAILED);
      await expect(initiate(server, acme, { receiverTag: bola.tag })).rejects.toThrow(FAILED);
    });
    expect((await decide(server, bola, id, 'accept')).json()).toMatchObject({ data: { status: 'ACCEPTED' } });
  });
});

describe('an older row, with what vouched for it', () => {
  /** Keeps a row, puts it back after something was changed by an operation, and asks what the check says. */
  const replayed = async (table: string, where: string, change: () => Promise<unknown>): Promise<string[]> => {
    await server.owner.query(`drop table if exists public.older; create table public.older as table ${table}`);
    await change();
    await server.owner.query(`drop table if exists public.newer; create table public.newer as table ${table}`);
    const put = (from: string) =>
      server.owner.query(`begin; set local session_replication_role = replica; delete from ${table} where ${where};
        insert into ${table} overriding system value select * from ${from} where ${where}; drop table ${from}; commit`);
    await put('public.older');
    const broken = await brokenInvariants(server);
    await put('public.newer');
    expect(await brokenInvariants(server)).toEqual([]);
    return broken;
  };

  it('of a linked account is found', async () => {
    const { headers } = await loggedIn(server, partner);
    const link = (accountNumber: string) =>
      server.call('POST', '/v2/sso/wallet/bank-account', { headers, payload: { ...ACCOUNT, accountNumber } });
    expect((await link(ACCOUNT.accountNumber)).statusCode).toBe(200);
    const change = async () => expect((await link('0123456780')).statusCode).toBe(200);
    expect(await replayed('bank_accounts.linked_account', 'true', change)).toEqual(['linked_accounts_are_audited']);
  });

  it('of the wallets of a customer is found', async () => {
    const other = await server.newPartner();
    const person = await loggedIn(server, partner);
    await server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers: other.headers });
    const where = `customer_id = (select id from customers.customer where tag_id = (select id from tags.tag where handle = '${person.paytag}'))`;
    const change = () => server.operate('POST', `/wallets/${person.wallet}/revoke`, { reason: 'a test' });
    expect(await replayed('wallets.partner_wallet', where, change)).toContain('primary_wallets_are_audited');
  });
});

describe('a KYC profile', () => {
  it('is paid out to no account of a name that it did not have', async () => {
    const wallet = await kycWallet(server, partner);
    await moveMoney(server, partner, wallet, 'credit', { amount: 500, reference: newReference() });
    const set = `update wallets.kyc_profile set last_name = 'Horton' where id = (select kyc_profile_id
      from wallets.partner_wallet where reference = '${wallet}')`;
    const meanwhile = async () => {
      const payload = { amount: 100, reference: newReference(), ...ACCOUNT };
      const url = `/v2/partner/wallet/${wallet}/payout`;
      await expect(server.call('POST', url, { headers: partner.headers, payload })).rejects.toThrow(FAILED);
    };
    await altered('wallets.kyc_profile', [set], meanwhile, whole);
  });
});

describe('the login of the server', () => {
  it.each([
    'tags.tag set handle = handle',
    'tags.tag set subject_id = subject_id',
    'customers.customer set tag_id = tag_id',
    'applications.subject set external_id = external_id',
    'applications.subject set application_id = application_id',
    'ledger.account set reference = reference',
    'ledger.account set partner_id = partner_id',
    'ledger.account set routing_mac = routing_mac',
    'wallets.kyc_profile set last_name = last_name',
    'wallets.partner_wallet set customer_id = customer_id',
    'wallets.partner_wallet set account_id = account_id',
    'bank_accounts.linked_account set account_index = account_index',
    'inbound_accounts.account set account_index = account_index',
  ])('may not update %s', async (set) => {
    await expect(server.resources.pool.query(`update ${set}`)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a payout that is ordered', () => {
  it.each([
    ['bank', `bank_code = '044'`],
    ['account', `account_index = sha256(account_index)`],
    ['account, by what is sealed in another', 'account_number_sealed = account_name_sealed'],
    [
      'partner',
      '(partner_id, wallet) = (select partner_id, reference from wallets.partner_wallet where reference <> wallet limit 1)',
    ],
  ])(
    'is not sent while it has another %s: its money stays held, and it goes out when all is right again',
    async (_what, set) => {
      const wallet = await kycWallet(server, partner);
      await moveMoney(server, partner, wallet, 'credit', { amount: 2_000, reference: newReference() });
      const reference = newReference();
      const url = `/v2/partner/wallet/${wallet}/payout`;
      const payload = { amount: 1_000, reference, ...ACCOUNT };
      expect((await server.call('POST', url, { headers: partner.headers, payload })).statusCode).toBe(200);
      const { provider, sent } = scriptedProvider();
      const carry = async () => {
        server.clock.advance(3_600_000);
        await sendPayouts({ ...server.resources, payoutProvider: provider });
      };
      await altered('payouts.payout', [`update payouts.payout set ${set} where state = 'PENDING'`], carry);
      expect(sent).toEqual([]);
      await carry();
      expect(sent).toMatchObject([{ ...ACCOUNT, amount: 100_000n }]);
      const told = await server.call('GET', `/v2/partner/transaction/${reference}`, { headers: partner.headers });
      expect(told.json()).toMatchObject({ Status: 'Successful' });
    },
  );

  it('is shown without its payee, and the rest of a list, a history and a statement as ever, while it is altered', async () => {
    const ada = await loggedIn(server, partner, 5_000);
    await server.call('POST', '/v2/sso/wallet/bank-account', { headers: ada.headers, payload: ACCOUNT });
    const references = [newReference(), newReference()];
    for (const reference of references) {
      const payload = { amount: 1_000, reference };
      expect((await server.call('POST', '/v2/sso/payout', { headers: ada.headers, payload })).statusCode).toBe(200);
    }
    server.clock.advance(60_000);
    await sendPayouts(server.resources);
    const { headers } = partner;
    const listed = (await server.call('GET', '/v2/sso/transaction', { headers: ada.headers })).json().items;
    const { Reference: named, ID } = listed.find(
      ({ ExternalReference }: { ExternalReference: string }) => ExternalReference === references[0],
    );
    const change = `update payouts.payout set bank_code = '044' where transaction_id = ${ID}`;
    await altered('payouts.payout', [change], async () => {
      const lists = [
        await server.call('GET', '/v2/sso/transaction', { headers: ada.headers }),
        await server.call('GET', `/v2/partner/wallet/${ada.wallet}/history`, { headers }),
      ];
      const withoutPayee = listed.map((one: { ID: number }) => (one.ID === ID ? { ...one, Payee: undefined } : one));
      for (const answer of lists) expect([answer.statusCode, answer.json().items]).toEqual([200, withoutPayee]);
      const single = await server.call('GET', `/v2/partner/transaction/${named}`, { headers });
      expect([single.statusCode, single.json().Payee]).toEqual([200, undefined]);
      const link = await server.call('POST', '/v2/sso/transaction/statement?format=csv', { headers: ada.headers });
      const statement = await server.call('GET', new URL(link.json().url).pathname);
      expect(statement.statusCode).toBe(200);
      const payouts = await server.operate('GET', `/payouts?wallet=${ada.wallet}`);
      expect([payouts.statusCode, payouts.json().items.length]).toEqual([200, 2]);
    });
  });

  it('cannot be given another payee by the login of the server', async () => {
    for (const column of [
      'bank_code',
      'account_index',
      'account_number_sealed',
      'account_name_sealed',
      'amount',
      'wallet',
    ]) {
      const change = server.resources.pool.query(`update payouts.payout set ${column} = ${column}`);
      await expect(change).rejects.toMatchObject({ code: '42501' });
    }
  });
});

it('leaves the books right at the end', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
