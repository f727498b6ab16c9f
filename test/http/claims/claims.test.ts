import { describe, expect, it } from 'vitest';
import { eq } from '#drizzle';
import { openDatabase } from '#lib/postgres/database.ts';
import { mayBecome } from '#lib/state-machine.ts';
import { payTagApplicationId } from '#modules/clients';
import {
  confirmConsent,
  createDirectory,
  declineConsent,
  expireClaims,
  findAnswerable,
  openConsentPage,
  takeProofAttempt,
  verifyAttestation,
} from '#modules/consent';
import { tag as tagTable } from '#modules/tags';
import { changedClaim } from '../../../src/modules/consent/claim.ts';
import { lockClaim, updateState } from '../../../src/modules/consent/claim-store.ts';
import { type ClaimState, claimStates, claimTransitions } from '../../../src/modules/consent/states.ts';
import { maintainEachMinute } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import {
  after,
  answerConsent,
  claimsSeenBy,
  consentInPerson,
  DAY_MS,
  endClaim,
  eventsFor,
  newClaim,
  newSides,
  type Sides,
  type TestClaim,
} from '../../support/claims.ts';
import { createPayTag, customerToken, newCustomer, newPerson } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';

describe('the state of a claim', () => {
  const server = useApp();

  /** How a claim gets to each state, through the API. */
  const ways: Record<ClaimState, (sides: Sides, claim: TestClaim) => Promise<unknown>> = {
    PENDING: async () => undefined,
    APPROVED: async ({ owner }, { consentToken }) => answerConsent(server, owner, consentToken, 'approve'),
    REJECTED: async ({ owner }, { consentToken }) => answerConsent(server, owner, consentToken, 'reject'),
    CANCELLED: async ({ requester }, claim) => endClaim(server, requester, claim, 'cancel'),
    EXPIRED: async (sides) => {
      await after(server, DAY_MS, sides);
      await expireClaims(server.resources, 100, server.clock.now());
    },
    REVOKED: async (sides, claim) => {
      await answerConsent(server, sides.owner, claim.consentToken, 'approve');
      await endClaim(server, sides.requester, claim, 'revoke');
    },
  };

  const pairs = claimStates.flatMap((from) => claimStates.map((to) => [from, to] as const));
  const isAllowed = (from: ClaimState, to: ClaimState) => mayBecome(claimTransitions, from, to);

  const stateOf = async ({ id }: TestClaim) => {
    const { rows } = await server.owner.query('select state from claims.claim where id = $1', [id]);
    return rows[0]?.state;
  };

  const move = (id: string, next: ClaimState, now: Date) =>
    server.resources.db.transaction(async (tx) => {
      const { routingMac } = changedClaim(server.resources.keyring, await lockClaim(tx, id), { approvedAt: now });
      return updateState(tx, { id, next, now, routingMac });
    });

  describe('a claim moves where the table says, and nowhere else', () => {
    it.each(pairs)('from %s to %s', async (from, to) => {
      const sides = await newSides(server);
      const claim = await newClaim(server, sides);
      await ways[from](sides, claim);
      expect(await stateOf(claim)).toBe(from);
      const now = to === 'EXPIRED' ? new Date(claim.tokenExpiresAt) : server.clock.now();
      expect(await move(claim.id, to, now)).toBe(isAllowed(from, to));
      expect(await stateOf(claim)).toBe(isAllowed(from, to) ? to : from);
    });
  });

  it('a claim is never expired before its time, nor answered after it', async () => {
    const claim = await newClaim(server, await newSides(server));
    const end = new Date(claim.tokenExpiresAt);
    const before = new Date(end.getTime() - 1);
    expect(await move(claim.id, 'EXPIRED', before)).toBe(false);
    for (const late of ['APPROVED', 'REJECTED', 'CANCELLED'] as const) {
      expect(await move(claim.id, late, end)).toBe(false);
    }
    expect(await move(claim.id, 'APPROVED', before)).toBe(true);
  });

  it('approve from both sides, reject and cancel, fifty at once: one outcome', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    const tries = [
      () => answerConsent(server, sides.owner, claim.consentToken, 'approve'),
      () => answerConsent(server, sides.requester, claim.consentToken, 'approve'),
      () => answerConsent(server, sides.owner, claim.consentToken, 'reject'),
      () => endClaim(server, sides.requester, claim, 'cancel'),
    ];
    const fifty = Array.from({ length: 13 }, () => tries)
      .flat()
      .slice(0, 50);
    const answers = await Promise.all(fifty.map((attempt) => attempt()));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
    const seen = await claimsSeenBy(server, sides.owner, sides.tag);
    expect(['APPROVED', 'REJECTED', 'CANCELLED']).toContain(seen[0]?.state);
  });
});

describe('an answer in person', () => {
  const server = useApp();

  describe('an owner who consents', () => {
    it('leaves the claim pending and notifies the requesting application once, however often they press the button', async () => {
      const sides = await newSides(server);
      const claim = await newClaim(server, sides);
      await Promise.all(Array.from({ length: 10 }, () => consentInPerson(server, claim)));
      expect(await claimsSeenBy(server, sides.owner, sides.tag)).toEqual([claim]);
      expect(await eventsFor(server, sides.requester)).toEqual([
        { event: 'CONSENT_CONFIRMED', reference: claim.id, data: claim },
      ]);
    });

    it('can decline afterwards, until the application has approved', async () => {
      const sides = await newSides(server);
      const claim = await newClaim(server, sides);
      await consentInPerson(server, claim);
      await declineConsent(server.resources, claim);
      const answer = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
      expect(refusalOf(answer)).toEqual([409, 'CONSENT_NOT_PENDING']);
    });
  });

  it('an owner who declines rejects the claim, and both applications are notified', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await declineConsent(server.resources, claim);
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toMatchObject([{ state: 'REJECTED' }]);
    for (const side of [sides.owner, sides.requester]) {
      expect((await eventsFor(server, side)).at(-1)).toMatchObject({ event: 'CONSENT_REJECTED', reference: claim.id });
    }
  });

  it('nothing can be done in person on a claim that is expired, answered or unknown', async () => {
    const { resources } = server;
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const find = (token: string) => findAnswerable(resources, token, 'approve');
    await expect(find('unknown')).rejects.toMatchObject({ code: 'CONSENT_NOT_FOUND' });
    const rejected = await find(claim.consentToken);
    await answerConsent(server, sides.owner, claim.consentToken, 'reject');
    const next = await newClaim(server, sides);
    const expired = await find(next.consentToken);
    await after(server, DAY_MS, sides);
    for (const [seen, { consentToken }, code] of [
      [rejected, claim, 'CONSENT_NOT_PENDING'],
      [expired, next, 'CONSENT_EXPIRED'],
    ] as const) {
      await expect(find(consentToken)).rejects.toMatchObject({ code });
      await expect(confirmConsent(resources, seen.claim, 'OTP')).rejects.toMatchObject({ code });
      await expect(declineConsent(resources, seen.claim)).rejects.toMatchObject({ code });
    }
  });

  it('five proofs may be tried on one consent request, even when fifty come at once, and none after', async () => {
    const { consentToken } = await newClaim(server, await newSides(server));
    const { claim } = await findAnswerable(server.resources, consentToken, 'approve');
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => takeProofAttempt(server.resources, claim)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(takeProofAttempt(server.resources, claim)).rejects.toMatchObject({
      code: 'CONSENT_ATTEMPTS_EXCEEDED',
      retryAfterS: expect.any(Number),
    });
  });

  it('a page learns whether the tag belongs to a customer or to a user of an application', async () => {
    const sides = await newSides(server);
    const person = newPerson();
    await createPayTag(server, await server.newPartner(), person);
    const [ours, theirs] = [await newClaim(server, { ...sides, tag: person.paytag }), await newClaim(server, sides)];
    const customer = await openConsentPage(server.resources, ours.consentToken);
    expect(customer.owner).toMatchObject({ isCustomer: true });
    const tag = (await server.call('GET', `/api/v1/tags/${person.paytag}`)).json().data;
    expect(tag.canonicalOwner).toMatchObject({ id: customer.owner.subjectId, applicationId: payTagApplicationId });
    expect((await openConsentPage(server.resources, theirs.consentToken)).owner.isCustomer).toBe(false);
  });
});

describe('the directory', () => {
  const server = useApp();

  describe('a look-up in the directory', () => {
    it('gives each of many concurrent callers the tag they asked for, and nothing for an unknown one', async () => {
      const partner = await server.newPartner();
      const { paytag: ada } = await newCustomer(server, partner);
      const { paytag: bola } = await newCustomer(server, partner);
      const directory = createDirectory(server.resources.db);
      const asked = Array.from({ length: 600 }, (_, index) => [ada, bola, `nobody-${index}`][index % 3] ?? '');
      const found = await Promise.all(asked.map((address) => directory.find(address)));
      expect(found.map((row) => row?.handle)).toEqual(
        asked.map((address) => (address.startsWith('nobody') ? undefined : address)),
      );
    });

    it('never shows what was before a change that was committed: it remembers nothing', async () => {
      const { paytag } = await newCustomer(server, await server.newPartner());
      for (const status of ['SUSPENDED', 'ACTIVE', 'SUSPENDED'] as const) {
        await server.resources.db.update(tagTable).set({ status }).where(eq(tagTable.handle, paytag));
        const rows = await Promise.all(Array.from({ length: 50 }, () => server.resources.directory.find(paytag)));
        expect(new Set(rows.map((row) => row?.status))).toEqual(new Set([status]));
      }
    });

    it('shows the newest hundred approved claims, to the owner’s application too, however many there are', async () => {
      const { owner, requester, tag: handle } = await newSides(server);
      const { rows } = await server.owner.query<{ id: string }>(
        `with subjects as (
         insert into applications.subject (application_id, external_id, routing_mac)
         select $1, 'many-' || n, '\\x00' from generate_series(1, 150) n returning id)
       insert into claims.claim (tag_id, subject_id, requested_by_app_id, state, token_digest, token_expires_at,
                                 requested_at, approved_at, updated_at, routing_mac)
       select t.id, s.id, $1, 'APPROVED', sha256(s.id::text::bytea), now(), now(), now(), now(), '\\x00'
         from subjects s cross join tags.tag t where t.handle = $2 returning id`,
        [requester.applicationId, handle],
      );
      const newest = rows
        .map(({ id }) => id)
        .toSorted()
        .toReversed()
        .slice(0, 100);
      for (const headers of [{}, owner.headers]) {
        const { data } = (await server.call('GET', `/api/v1/tags/${handle}`, { headers })).json();
        expect(data.activeClaims.map(({ id }: { id: string }) => id)).toEqual(newest);
      }
    });

    it('fails for every caller when the store is unavailable', async () => {
      const away = openDatabase(server.resources.databaseUrl, 1, () => undefined);
      await away.close();
      const directory = createDirectory(away.db);
      const results = await Promise.allSettled(['ada', 'ada', 'nobody'].map((address) => directory.find(address)));
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    });
  });
});

describe('an attestation', () => {
  const server = useApp();

  const newAttestation = async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    const token = answer.json<{ data: { token: string } }>().data.token;
    return { sides, claim, token, requesterId: sides.requester.applicationId };
  };

  describe('an attestation', () => {
    it('proves its consent to the application it was issued to', async () => {
      const { claim, token, requesterId } = await newAttestation();
      expect(await verifyAttestation(server.resources, { token, requesterId })).toEqual({
        consentId: claim.id,
        tagId: claim.tagId,
        subjectId: claim.subjectId,
      });
    });

    it('proves nothing to another application, after its time, once revoked, or changed', async () => {
      const { sides, claim, token, requesterId } = await newAttestation();
      const { resources } = server;
      const strangerId = sides.stranger.applicationId;
      expect(await verifyAttestation(resources, { token, requesterId: strangerId })).toBeUndefined();
      expect(
        await verifyAttestation(resources, { token: `${token.slice(0, -8)}AAAAAAAA`, requesterId }),
      ).toBeUndefined();
      await endClaim(server, sides.owner, claim, 'revoke');
      expect(await verifyAttestation(resources, { token, requesterId })).toBeUndefined();
      const other = await newAttestation();
      await after(server, DAY_MS, other.sides);
      expect(await verifyAttestation(resources, other)).toBeUndefined();
    });
  });

  it('a token of one kind opens nothing of another', async () => {
    const { token: attestation, sides, requesterId } = await newAttestation();
    const partner = await server.newPartner();
    const customer = await customerToken(server, partner, (await newCustomer(server, partner)).paytag);
    const application = (await newApplication(server)).headers.authorization.replace('Bearer ', '');

    const asApplication = (token: string) =>
      server.call('GET', `/api/v1/tags/${sides.tag}/claims`, { headers: { authorization: `Bearer ${token}` } });
    const asCustomer = (token: string) =>
      server.call('GET', '/v2/sso/wallet', { headers: { ...partner.headers, authorization: `Bearer ${token}` } });
    const asOperator = (token: string) =>
      server.call('GET', '/operator/v1/deliveries', { headers: { authorization: `Bearer ${token}` } });

    expect((await asApplication(application)).statusCode).toBe(200);
    expect((await asCustomer(customer)).statusCode).toBe(200);
    for (const token of [attestation, customer]) expect((await asApplication(token)).statusCode).toBe(401);
    for (const token of [attestation, application]) expect((await asCustomer(token)).statusCode).toBe(401);
    for (const token of [attestation, customer, application]) expect((await asOperator(token)).statusCode).toBe(401);
    for (const token of [customer, application]) {
      expect(await verifyAttestation(server.resources, { token, requesterId })).toBeUndefined();
    }
  });
});

describe('overdue claims', () => {
  const server = useApp();

  it('the sweep marks overdue claims, each once though several sweep at once, and notifies both sides', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const other = await newSides(server);
    await newClaim(server, other);
    expect(await expireClaims(server.resources, 100, server.clock.now())).toBe(0);
    const later = await after(server, DAY_MS, sides);
    const fresh = await newClaim(server, { ...later, tag: other.tag });
    const swept = await Promise.all(
      Array.from({ length: 5 }, () => expireClaims(server.resources, 100, server.clock.now())),
    );
    expect(swept.reduce((sum, count) => sum + count, 0)).toBe(2);
    for (const side of [sides.owner, sides.requester]) {
      const events = (await eventsFor(server, side)).filter(({ event }) => event === 'CONSENT_EXPIRED');
      expect(events).toMatchObject([
        { reference: claim.id, data: { state: 'EXPIRED', consentToken: '', approvalUrl: '' } },
      ]);
    }
    expect(await claimsSeenBy(server, later.requester, other.tag)).toMatchObject([{ id: fresh.id, state: 'PENDING' }]);
  });

  it('a worker sweeps them too', async () => {
    const sides = await newSides(server);
    await newClaim(server, sides);
    await after(server, DAY_MS, sides);
    await maintainEachMinute(server.resources);
    expect((await eventsFor(server, sides.owner)).at(-1)).toMatchObject({ event: 'CONSENT_EXPIRED' });
  });
});
