import { beforeAll, describe, expect, it } from 'vitest';
import { askForProof, forgetContact, sendMails } from '#modules/clients';
import { EmailProviderDown } from '../../../src/providers/email/port.ts';
import { type Answer, type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants, FAILED, whileAltered } from '../../support/books.ts';
import {
  answerConsent,
  askForClaim,
  attested,
  endClaim,
  newClaim,
  newEnds,
  newLink,
  newSides,
  reject,
  seeFederation,
  verifyRightly,
} from '../../support/claims.ts';
import { actOn, customerIdOf } from '../../support/customers.ts';
import { completeReset, logIn, newCustomer, startReset, validatedReset } from '../../support/onboarding.ts';
import { ACCOUNT } from '../../support/payouts.ts';
import { decide, newSide, offer, type Side } from '../../support/switch.ts';
import { newSplit, newTerminal, payAt } from '../../support/terminals.ts';
import { loggedIn, newReference, pay } from '../../support/wallets.ts';

const server = useApp();
let partner: TestPartner;

beforeAll(async () => {
  partner = await server.newPartner({ float: 100_000 });
});

/** As whoever has the login of the server at the database, and nothing else of it. */
const asServer = (statement: string) => server.resources.pool.query(statement);
const altered = (
  table: string,
  by: { byServer: string } | { changes: string[] },
  meanwhile: () => Promise<void>,
): Promise<void> => whileAltered(server, { table, seenBy: 'routing_facts_are_authentic', ...by }, meanwhile);
/** What was done all the same, of what is to fail. */
const doneOf = async (...asked: Promise<Answer>[]): Promise<string[]> => {
  const outcomes = asked.map((one) => one.then(({ statusCode, body }) => `${statusCode} ${body}`, String));
  return (await Promise.all(outcomes)).filter((outcome) => !outcome.includes(FAILED));
};
/** PostgreSQL: insufficient_privilege. */
const DENIED = '42501';

describe('a customer', () => {
  it.each([
    [
      'the password of another',
      'password_hash = (select password_hash from customers.customer o where o.id <> c.id limit 1)',
    ],
    ['another name', `last_name = 'Horton'`],
    ['another name that the register holds', `(other_name, is_other_name_confirmed) = ('Randall', true)`],
    ['another BVN', `bvn_index = sha256('22200000000')`],
    ['another phone', `phone_index = sha256('+2348030000000')`],
    ['no proven phone', 'phone_proven_at = null'],
    ['an address that counts as proven since another day', `email_proven_at = now() - interval '9 days'`],
  ])('whom the login of the server gives %s does not log in, is not paid and not changed', async (_what, set) => {
    const [ada, chi] = [await loggedIn(server, partner, 500), await loggedIn(server, partner, 100)];
    const { headers } = partner;
    const id = await customerIdOf(server, ada.paytag);
    const byServer = `update customers.customer c set ${set} where id = '${id}'`;
    await altered('customers.customer', { byServer }, async () => {
      expect(
        await doneOf(
          logIn(server, partner, ada.paytag),
          startReset(server, partner, ada.paytag),
          pay(server, chi, { amount: 10, reference: newReference(), paytag: ada.paytag }),
          server.call('POST', `/v2/partner/wallet/${ada.wallet}/payout`, {
            headers,
            payload: { amount: 10, reference: newReference(), ...ACCOUNT },
          }),
          server.call('POST', '/v2/sso/wallet/bank-account', { headers: ada.headers, payload: ACCOUNT }),
          actOn(server, id, 'correct', { address: '1 Marina, Lagos' }),
          actOn(server, id, 'freeze'),
        ),
      ).toEqual([]);
      const found = await doneOf(server.call('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers }));
      expect(found.filter((one) => !one.startsWith('404'))).toEqual([]);
    });
    expect((await logIn(server, partner, ada.paytag)).statusCode).toBe(200);
  });

  it('whom the operator has frozen stays so', async () => {
    const ada = await newCustomer(server, partner);
    const id = await customerIdOf(server, ada.paytag);
    expect((await actOn(server, id, 'freeze')).statusCode).toBe(200);
    const byServer = `update customers.customer set frozen_at = null where id = '${id}'`;
    await altered('customers.customer', { byServer }, async () =>
      expect(await doneOf(logIn(server, partner, ada.paytag))).toEqual([]),
    );
  });
});

describe('a session of onboarding', () => {
  const rows = 'onboarding.creation_session';

  it('in which no code was given changes no password, though the login of the server says that one was', async () => {
    const ada = await newCustomer(server, partner);
    const { session } = (await startReset(server, partner, ada.paytag)).json<{ session: string }>();
    const byServer = `update ${rows} set status = 'VALIDATED' where kind = 'PASSWORD_RESET' and status = 'STARTED'`;
    await altered(rows, { byServer }, async () =>
      expect(await doneOf(completeReset(server, partner, session))).toEqual([]),
    );
  });

  it('is no other customer’s than who began it', async () => {
    const [ada, bayo] = [await newCustomer(server, partner), await newCustomer(server, partner)];
    const session = await validatedReset(server, partner, ada.paytag);
    const whose = `update ${rows} set customer_id = '${await customerIdOf(server, bayo.paytag)}'`;
    await expect(asServer(whose)).rejects.toMatchObject({ code: DENIED });
    await altered(rows, { changes: [`${whose} where status = 'VALIDATED'`] }, async () =>
      expect(await doneOf(completeReset(server, partner, session))).toEqual([]),
    );
    expect((await completeReset(server, partner, session)).statusCode).toBe(200);
  });
});

describe('a terminal', () => {
  it('that the login of the server has written takes no payment', async () => {
    const [serial, other] = [await newTerminal(server, partner), await server.newPartner({ float: 0 })];
    const byServer = `insert into terminals.terminal (serial_number, partner_id, routing_mac)
      select 'SN-mine', '${other.id}', routing_mac from terminals.terminal where serial_number = '${serial}'`;
    await altered('terminals.terminal', { byServer }, async () =>
      expect(await doneOf(payAt(server, 'SN-mine', { amount: 10 }))).toEqual([]),
    );
  });

  it.each([
    ['partner', (other: string) => `partner_id = '${other}'`],
    ['merchant', () => `merchant = 'Evil'`],
    ['serial number', () => `serial_number = 'SN-other'`],
  ])('takes no payment under another %s, which the login of the server may not change', async (what, set) => {
    const [serial, other] = [await newTerminal(server, partner), await server.newPartner()];
    const change = `update terminals.terminal set ${set(other.id)} where serial_number = '${serial}'`;
    await expect(asServer(change)).rejects.toMatchObject({ code: DENIED });
    const asked = what === 'serial number' ? 'SN-other' : serial;
    await altered('terminals.terminal', { changes: [change] }, async () =>
      expect(await doneOf(payAt(server, asked, { amount: 10 }))).toEqual([]),
    );
  });

  it('takes no instalment of a split that it did not ask for', async () => {
    const serial = await newTerminal(server, partner);
    const split = await newSplit(server, serial, 50);
    const byServer = `insert into terminals.split (terminal_id, reference, amount, title, routing_mac)
      select terminal_id, 'SPL-mine', 5, title, routing_mac from terminals.split where reference = '${split}'`;
    await altered('terminals.split', { byServer }, async () =>
      expect(await doneOf(payAt(server, serial, { amount: 5, split: 'SPL-mine' }))).toEqual([]),
    );
    const changes = [`update terminals.split set amount = 5 where reference = '${split}'`];
    await altered('terminals.split', { changes }, async () =>
      expect(await doneOf(payAt(server, serial, { amount: 5, split }))).toEqual([]),
    );
  });
});

describe('an offer', () => {
  const rows = 'tag_transactions.tag_transaction';
  let acme: Side;
  let market: Side;
  beforeAll(async () => {
    [acme, market] = [await newSide(server), await newSide(server, 'Market')];
  });

  it.each([
    ['amount', 'amount = amount - 1'],
    ['fee', 'fee = fee + 1'],
    ['payee', `receiver_tag = (select handle from tags.tag order by id limit 1)`],
    ['payer', 'sender_app_id = receiver_app_id'],
  ])('with another %s is not accepted, nor rejected', async (_what, set) => {
    const { id } = await offer(server, acme, market);
    const changes = [`update ${rows} set ${set} where id = '${id}'`];
    await expect(asServer(changes[0] as string)).rejects.toMatchObject({ code: DENIED });
    await altered(rows, { changes }, async () =>
      expect(await doneOf(decide(server, market, id, 'accept'), decide(server, market, id, 'reject'))).toEqual([]),
    );
    expect((await decide(server, market, id, 'accept')).json()).toMatchObject({ data: { status: 'ACCEPTED' } });
  });

  it('that the login of the server has written, from the money that is held for another, is not accepted', async () => {
    const other = await newSide(server, 'Evil');
    const { id } = await offer(server, acme, market);
    const columns =
      'request_hash, sender_app_id, sender_tag, amount, fee, currency, hold_id, expires_at, created_at, updated_at, routing_mac';
    const mine = '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d';
    const byServer = `insert into ${rows} (id, reference, receiver_app_id, receiver_tag, ${columns})
      select '${mine}', 'mine', '${other.applicationId}', '${other.tag}', ${columns} from ${rows} where id = '${id}'`;
    await altered(rows, { byServer }, async () =>
      expect(await doneOf(decide(server, other, mine, 'accept'))).toEqual([]),
    );
  });
});

describe('a claim', () => {
  const rows = 'claims.claim';

  it('without consent is not approved, though the login of the server says that its owner did', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const byServer = `update ${rows} set owner_confirmed_at = now(), owner_confirmed_by = 'OTP' where id = '${claim.id}'`;
    await altered(rows, { byServer }, async () =>
      expect(await doneOf(answerConsent(server, sides.requester, claim.consentToken, 'approve'))).toEqual([]),
    );
  });

  it('that the login of the server has approved proves nothing', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const { headers } = sides.requester;
    const byServer = `update ${rows} set state = 'APPROVED', approved_at = now(), token_sealed = null where id = '${claim.id}'`;
    await altered(rows, { byServer }, async () =>
      expect(
        await doneOf(server.call('GET', `/api/v1/tags/${sides.tag}/claims/${claim.id}/attestation`, { headers })),
      ).toEqual([]),
    );
  });

  it.each([
    [
      'requester',
      'requested_by_app_id = (select id from applications.application where not built_in order by id limit 1)',
    ],
    ['subject', 'subject_id = (select id from applications.subject order by id limit 1)'],
    ['page to go back to', `return_url = 'https://evil.example'`],
  ])('with another %s is neither shown nor answered', async (_what, set) => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const changes = [`update ${rows} set ${set} where id = '${claim.id}'`];
    await expect(asServer(changes[0] as string)).rejects.toMatchObject({ code: DENIED });
    await altered(rows, { changes }, async () =>
      expect(
        await doneOf(
          server.call('GET', `/api/v1/consent/${claim.consentToken}`),
          answerConsent(server, sides.owner, claim.consentToken, 'approve'),
        ),
      ).toEqual([]),
    );
  });

  it('that has ended stays so', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    await endClaim(server, sides.owner, claim, 'revoke');
    const back = asServer(`update ${rows} set state = 'APPROVED', revoked_at = null where id = '${claim.id}'`);
    await expect(back).rejects.toMatchObject({ code: 'PT002' });
    expect((await askForClaim(server, sides.requester, sides.tag, sides)).statusCode).toBe(201);
  });
});

describe('a link', () => {
  const rows = 'federations.link';

  it('that the login of the server has verified is not shown', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, 'CONSENT');
    const byServer = `update ${rows} set status = 'VERIFIED', verified_at = now(), verified_by = 'evil' where id = '${link.id}'`;
    await altered(rows, { byServer }, async () =>
      expect(await doneOf(seeFederation(server, ends.primary, ends.primary.tag))).toEqual([]),
    );
    expect((await verifyRightly(server, ends, link, 'CONSENT')).statusCode).toBe(200);
  });

  it('to another tag is neither verified nor shown, and one that has ended stays so', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, 'CONSENT');
    const { token } = await attested(server, ends.primary, ends.secondary);
    expect(token).toMatch(/^ey/);
    const changes = [
      `update ${rows} set linked_tag_id = (select id from tags.tag order by id limit 1) where id = '${link.id}'`,
    ];
    await expect(asServer(changes[0] as string)).rejects.toMatchObject({ code: DENIED });
    await altered(rows, { changes }, async () =>
      expect(
        await doneOf(
          verifyRightly(server, ends, link, 'CONSENT'),
          seeFederation(server, ends.primary, ends.primary.tag),
        ),
      ).toEqual([]),
    );
    await reject(server, ends.secondary, link);
    const back = asServer(`update ${rows} set status = 'PENDING' where id = '${link.id}'`);
    await expect(back).rejects.toMatchObject({ code: 'PT002' });
  });

  it('that was revoked is not there again as it was when it was verified', async () => {
    const ends = await newEnds(server);
    const link = await newLink(server, ends, 'CONSENT');
    expect((await verifyRightly(server, ends, link, 'CONSENT')).statusCode).toBe(200);
    await asServer(`update ${rows} set status = 'REVOKED' where id = '${link.id}'`);
    await expect(asServer(`delete from ${rows} where id = '${link.id}'`)).rejects.toMatchObject({ code: 'PT002' });
  });
});

describe('the link in a letter', () => {
  it('opens by no token that the login of the server has written', async () => {
    const { resources } = server;
    const owner = { ownerKind: 'PARTNER', ownerId: partner.id, ownerName: 'Acme', email: 'ada@shop.example' } as const;
    await resources.transact((tx) => askForProof(tx, resources, owner));
    const mails: string[] = [];
    const email = { send: async ({ text }: { text: string }) => void mails.push(text) };
    const byServer = `update letters.letter set token_digest = sha256('mine') where link_until is not null`;
    await altered('letters.letter', { byServer }, async () => {
      expect((await server.call('GET', '/handover/mine')).statusCode).toBe(500);
    });
    await sendMails({ ...resources, email });
    const [url = ''] = /\/handover\/[\w-]+/.exec(mails.join()) ?? [];
    expect((await server.call('GET', url)).statusCode).toBe(200);
  });

  it('that ends while a process is about to mail it gets no token', async () => {
    const { resources } = server;
    const owner = { ownerKind: 'PARTNER', ownerId: partner.id, ownerName: 'Acme', email: 'bola@shop.example' } as const;
    await resources.transact((tx) => askForProof(tx, resources, owner));
    await server.owner.query(`
      create function public.end_link() returns trigger language plpgsql as $$
      begin
        update letters.letter set link_until = now() - interval '1 day', token_digest = null, due_at = null, recipient_sealed = null
         where id = new.id;
        return null;
      end $$;
      create trigger end_link after update of attempts on letters.letter for each row when (new.attempts > old.attempts)
        execute function public.end_link()`);
    try {
      await sendMails({ ...resources, email: { send: async () => undefined } });
    } finally {
      await server.owner.query('drop function public.end_link cascade');
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is not mailed again once it has ended', async () => {
    const { resources } = server;
    const owner = { ownerKind: 'PARTNER', ownerId: partner.id, ownerName: 'Acme', email: 'chi@shop.example' } as const;
    await resources.transact((tx) => askForProof(tx, resources, owner));
    let mailed = 0;
    const send = async () => {
      mailed += 1;
      await resources.transact((tx) => forgetContact(tx, resources, partner.id));
      throw new EmailProviderDown('not now');
    };
    await sendMails({ ...resources, email: { send } });
    server.clock.advance(60 * 60 * 1000);
    await sendMails({ ...resources, email: { send } });
    expect(mailed).toBe(1);
  });
});

it('leaves the books right at the end', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
