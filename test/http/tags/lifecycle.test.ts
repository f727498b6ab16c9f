import { describe, expect, it } from 'vitest';
import { mayBecome } from '#lib/state-machine.ts';
import { type TagStatus, tagStatuses, tagTransitions } from '../../../src/modules/tags/handle.ts';
import { updateStatus } from '../../../src/modules/tags/store.ts';
import { useApp, useSharedApp } from '../../support/app.ts';
import { newApplication, newToken, type TestApplication } from '../../support/application.ts';
import {
  answerConsent,
  askForClaim,
  consentInPerson,
  DAY_MS,
  endClaim,
  eventsFor,
  newClaim,
  newSides,
} from '../../support/claims.ts';
import {
  authCode,
  createPayTag,
  customerToken,
  exchange,
  logIn,
  newCustomer,
  newPerson,
} from '../../support/onboarding.ts';
import { auditOf } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { decide, initiate, newSide, offer, setTagStatus, walletTotals } from '../../support/switch.ts';
import { createTag, moveTag, newSubject, newTag } from '../../support/tags.ts';

describe('tag status', () => {
  const server = useApp();

  const statusOf = async (handle: string) => {
    const { rows } = await server.owner.query<{ id: string; status: TagStatus; closed: boolean }>(
      'select id, status, closed_at is not null as closed from tags.tag where handle = $1',
      [handle],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('there is no such tag');
    return row;
  };
  const isAllowed = (from: TagStatus, to: TagStatus) => mayBecome(tagTransitions, from, to);

  describe('a tag moves where the table says, and nowhere else', () => {
    it.each(tagStatuses.flatMap((from) => tagStatuses.map((to) => [from, to] as const)))(
      'from %s to %s',
      async (from, to) => {
        const { tag } = await newSide(server);
        if (from !== 'ACTIVE') await setTagStatus(server, tag, from);
        const { id, status } = await statusOf(tag);
        expect(status).toBe(from);
        const { db, clock } = server.resources;
        expect(await db.transaction((tx) => updateStatus(tx, id, to, clock.now()))).toBe(isAllowed(from, to));
        const now = isAllowed(from, to) ? to : from;
        expect(await statusOf(tag)).toEqual({ id, status: now, closed: now === 'CLOSED' });
      },
    );
  });
});

describe('quarantine', () => {
  const server = useApp();

  const renewed = async (application: TestApplication) => ({
    ...application,
    headers: await newToken(server, application),
  });

  it('a closed tag’s handle is free after exactly ninety days, for one of many concurrent requests', async () => {
    const first = await newApplication(server);
    const tag = await newTag(server, first);
    const before = (await server.call('GET', `/api/v1/tags/${tag}`)).json().data;
    await server.operate('POST', `/tags/${tag}/close`, { reason: 'over' });
    server.clock.advance(90 * DAY_MS - 60_000);
    const tooSoon = await renewed(first);
    const subjectId = await newSubject(server, tooSoon);
    expect((await createTag(server, tooSoon, { tagString: tag, subjectId })).statusCode).toBe(409);
    server.clock.advance(60_000);
    const next = await renewed(await newApplication(server));
    const nextSubject = await newSubject(server, next);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => createTag(server, next, { tagString: tag, subjectId: nextSubject })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
    const now = (await server.call('GET', `/api/v1/tags/${tag}`)).json().data;
    expect(now).toMatchObject({ status: 'ACTIVE', createdByAppId: next.applicationId });
    expect(now.id).not.toBe(before.id);
    const { rows } = await server.owner.query('select status from tags.tag where handle = $1 order by id', [tag]);
    expect(rows).toEqual([{ status: 'CLOSED' }, { status: 'ACTIVE' }]);
  });

  it('a customer is not confused with the new owner of their old PayTag', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    await server.operate('POST', `/tags/${person.paytag}/close`, { reason: 'over' });
    const verify = () => server.call('GET', `/v2/sso/verify-tag?paytag=${person.paytag}`, { headers: partner.headers });
    expect((await verify()).json()).toMatchObject({ available: false });
    server.clock.advance(90 * DAY_MS);
    expect((await verify()).json()).toMatchObject({ available: true });
    const other = { ...newPerson(), paytag: person.paytag, firstName: 'Chidi' };
    expect((await createPayTag(server, partner, other)).statusCode).toBe(200);
    const { data } = (await server.call('GET', `/api/v1/tags/${person.paytag}`)).json();
    expect(data.canonicalOwner.displayName).toBe('Chidi Obi');
    expect((await logIn(server, partner, person.paytag)).json().errorCode).toBe('PASSWORD_NOT_SET');
  });
});

describe('operated tag', () => {
  const server = useSharedApp();

  describe('a suspended tag', () => {
    it('agrees to nothing: no claim is asked for, approved or attested, and what is there can be left', async () => {
      const sides = await newSides(server);
      const { owner, requester, tag } = sides;
      const approved = await newClaim(server, sides);
      await answerConsent(server, owner, approved.consentToken, 'approve');
      const pending = await newClaim(server, { ...sides, subjectId: await newSubject(server, requester) });
      await moveTag(server, tag, 'suspend');
      const refused = [
        await askForClaim(server, requester, tag, { subjectId: await newSubject(server, requester) }),
        await answerConsent(server, owner, pending.consentToken, 'approve'),
        await server.call('GET', `/api/v1/tags/${tag}/claims/${approved.id}/attestation`, {
          headers: requester.headers,
        }),
      ];
      for (const answer of refused) {
        expect(refusalOf(answer)).toEqual([409, 'TAG_SUSPENDED']);
      }
      expect((await endClaim(server, requester, pending, 'cancel')).statusCode).toBe(200);
      expect((await endClaim(server, owner, approved, 'revoke')).statusCode).toBe(200);
    });

    it('that is a PayTag lets its owner log in; a closed one is unknown', async () => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      await moveTag(server, paytag, 'suspend');
      expect((await logIn(server, partner, paytag)).statusCode).toBe(200);
      await moveTag(server, paytag, 'close');
      expect((await logIn(server, partner, paytag)).json().errorCode).toBe('PAYTAG_NOT_FOUND');
    });
  });

  it('closing ends the claims on a tag, and notifies both sides', async () => {
    const sides = await newSides(server);
    const approved = await newClaim(server, sides);
    await answerConsent(server, sides.owner, approved.consentToken, 'approve');
    const pending = await newClaim(server, { ...sides, subjectId: await newSubject(server, sides.requester) });
    await moveTag(server, sides.tag, 'close');
    for (const side of [sides.owner, sides.requester]) {
      expect((await eventsFor(server, side)).slice(-2)).toMatchObject([
        { event: 'CONSENT_REVOKED', reference: approved.id },
        { event: 'CONSENT_REJECTED', reference: pending.id },
      ]);
    }
  });

  it('suspend and close, fifty at once: each takes effect at most once, and says what was there before it', async () => {
    const { tag } = await newSides(server);
    const fifty = Array.from({ length: 25 }, () => ['suspend', 'close'] as const).flat();
    const answers = await Promise.all(fifty.map((what) => moveTag(server, tag, what)));
    for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode);
    const { id } = (await server.operate('GET', `/tags/${tag}`)).json();
    const changes = (await auditOf(server, id)).map(({ before, after }) => [before?.['status'], after?.['status']]);
    expect([
      [['ACTIVE', 'CLOSED']],
      [
        ['ACTIVE', 'SUSPENDED'],
        ['SUSPENDED', 'CLOSED'],
      ],
    ]).toContainEqual(changes);
  });

  it('its owner’s application closes no tag that is suspended at that moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { owner, tag } = await newSides(server);
      const [suspended, closed] = await Promise.all([
        moveTag(server, tag, 'suspend'),
        server.call('DELETE', `/api/v1/tags/${tag}`, { headers: owner.headers }),
      ]);
      expect([suspended.statusCode, closed.statusCode].filter((status) => status === 200)).toHaveLength(1);
    }
  });
});

describe('closed paytag', () => {
  const server = useSharedApp();
  const move = (paytag: string, what: 'suspend' | 'close') =>
    server.operate('POST', `/tags/${paytag}/${what}`, { reason: `to ${what} it` });

  it('closing a PayTag ends its owner’s tokens and codes at once, at every partner, and no one else’s', async () => {
    const [here, there] = [await server.newPartner(), await server.newPartner()];
    const [{ paytag }, other] = [await newCustomer(server, here), await newCustomer(server, here)];
    const walletWith = async (partner: typeof here, token: string) => {
      const headers = { ...partner.headers, authorization: `Bearer ${token}` };
      return (await server.call('GET', '/v2/sso/wallet', { headers })).statusCode;
    };
    const [hers, hersThere] = [await customerToken(server, here, paytag), await customerToken(server, there, paytag)];
    const others = await customerToken(server, here, other.paytag);
    const code = await authCode(server, here, paytag);

    await move(paytag, 'suspend');
    expect(await walletWith(here, hers)).toBe(200);
    await move(paytag, 'close');
    expect([await walletWith(here, hers), await walletWith(there, hersThere)]).toEqual([401, 401]);
    expect((await exchange(server, here, code)).json().errorCode).toBe('INVALID_AUTH_CODE');
    expect(await walletWith(here, others)).toBe(200);
  });

  it('a closed PayTag cannot be linked, and no wallet or beneficiary shows its handle, which may be reassigned', async () => {
    const [partner, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const [payer, person] = [await newCustomer(server, partner), newPerson()];
    const made = (await createPayTag(server, partner, person)).json();
    const { headers } = partner;
    const asPayer = { ...headers, authorization: `Bearer ${await customerToken(server, partner, payer.paytag)}` };
    const link = (by: typeof partner) =>
      server.call('POST', `/v2/partner/paytag/bvn/${person.bvn}`, { headers: by.headers });
    const { Reference: payers } = (
      await server.call('POST', `/v2/partner/paytag/bvn/${payer.bvn}`, { headers })
    ).json();
    const credit = { amount: 50, reference: 'opening' };
    await server.call('POST', `/v2/partner/wallet/${payers}/credit`, { headers, payload: credit });
    const lunch = { paytag: person.paytag, amount: 5, reference: 'lunch' };
    expect((await server.call('POST', '/v2/sso/transaction', { headers: asPayer, payload: lunch })).statusCode).toBe(
      200,
    );

    await move(person.paytag, 'close');
    for (const by of [partner, other]) expect((await link(by)).json().errorCode).toBe('PAYTAG_NOT_FOUND');
    const wallet = (await server.call('GET', `/v2/partner/wallet/${made.Reference}`, { headers })).json();
    expect(wallet.PayTag).toEqual({ Name: 'Ada Obi', Email: person.email, Phone: person.phone.replace(/^0/, '+234') });
    expect(wallet.Wallet).toMatchObject({ Name: 'Ada Obi', TotalAmount: 5 });
    const listed = (await server.call('GET', '/v2/partner/wallet', { headers })).json();
    expect(listed.items.find(({ ID }: { ID: number }) => ID === wallet.ID)).toEqual(wallet);
    expect((await server.call('GET', '/v2/sso/beneficiary', { headers: asPayer })).json().items).toEqual([]);
  });

  it('no login or exchange under way outlives the closing of its PayTag', async () => {
    const partner = await server.newPartner();
    for (let round = 0; round < 5; round++) {
      const { paytag } = await newCustomer(server, partner);
      const logInAndAct = async () => {
        const login = await logIn(server, partner, paytag);
        if (login.statusCode !== 200) return undefined;
        const { statusCode, body } = await exchange(
          server,
          partner,
          new URL(login.body).searchParams.get('auth-code') ?? '',
        );
        return statusCode === 200 ? body : undefined;
      };
      const [closed, ...tokens] = await Promise.all([move(paytag, 'close'), ...Array.from({ length: 4 }, logInAndAct)]);
      expect(closed.statusCode).toBe(200);
      for (const token of tokens.filter((one) => one !== undefined)) {
        const headers = { ...partner.headers, authorization: `Bearer ${token}` };
        expect((await server.call('GET', '/v2/sso/wallet', { headers })).statusCode).toBe(401);
      }
    }
  });
});

describe('suspended application', () => {
  const server = useSharedApp();

  const operate = async ({ applicationId }: TestApplication, what: 'suspend' | 'restore') => {
    const answer = await server.operate('POST', `/applications/${applicationId}/${what}`, { reason: 'a test' });
    expect(answer.statusCode).toBe(200);
  };
  const resolve = (tag: string) => server.call('GET', `/api/v1/tags/${tag}`);

  describe('the tags of a suspended application', () => {
    it('are shown as suspended, without their owners and claims, until it is restored', async () => {
      const sides = await newSides(server);
      const { consentToken } = await newClaim(server, sides);
      await answerConsent(server, sides.owner, consentToken, 'approve');
      const before = await resolve(sides.tag);
      expect(before.json().data).toMatchObject({ status: 'ACTIVE', activeClaims: [{ state: 'APPROVED' }] });
      await operate(sides.owner, 'suspend');
      const shown = await server.call('GET', `/api/v1/tags/${sides.tag}`, {
        headers: { 'if-none-match': String(before.headers['etag']) },
      });
      expect(shown.json().data).toMatchObject({ status: 'SUSPENDED', activeClaims: [] });
      expect(shown.json().data).not.toHaveProperty('canonicalOwner');
      await operate(sides.owner, 'restore');
      expect((await resolve(sides.tag)).json().data).toEqual(before.json().data);
    });

    it('are asked no consent, and what was confirmed in person is not approved meanwhile', async () => {
      const sides = await newSides(server);
      const claim = await newClaim(server, sides);
      await consentInPerson(server, claim);
      await operate(sides.owner, 'suspend');
      const subjectId = await newSubject(server, sides.requester);
      const asked = await askForClaim(server, sides.requester, sides.tag, { subjectId });
      const approved = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
      for (const refused of [asked, approved]) {
        expect(refusalOf(refused)).toEqual([409, 'TAG_SUSPENDED']);
      }
      await operate(sides.owner, 'restore');
      expect((await answerConsent(server, sides.requester, claim.consentToken, 'approve')).statusCode).toBe(200);
    });

    it('are paid nothing', async () => {
      const [acme, market] = [await newSide(server), await newSide(server)];
      await operate(market, 'suspend');
      expect(refusalOf(await initiate(server, acme, { receiverTag: market.tag }))).toEqual([422, 'TAG_NOT_PAYABLE']);
      expect(await walletTotals(server, acme)).toMatchObject({ held: 0 });
    });

    it('send nothing that had waited: the receiver may accept it when they are in use again', async () => {
      const [acme, market] = [await newSide(server), await newSide(server)];
      const { id } = await offer(server, acme, market);
      await operate(acme, 'suspend');
      expect(refusalOf(await decide(server, market, id, 'accept'))).toEqual([422, 'TAG_NOT_PAYABLE']);
      expect(await walletTotals(server, acme)).toMatchObject({ held: 10_000 });
      await operate(acme, 'restore');
      expect((await decide(server, market, id, 'accept')).statusCode).toBe(200);
    });
  });
});
