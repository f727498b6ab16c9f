import { sql } from '#drizzle';
import { check, foreignKey, index, jsonb, pgSchema, smallint, text, unique, uniqueIndex, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { application, subject } from '#modules/clients';
import { tag } from '#modules/tags';
import { claimStates, linkStatuses, verificationMethods } from './states.ts';

export const claimsSchema = pgSchema('claims');

/** An application asks that a subject of its own be reached under somebody's tag; the tag's owner consents, or does not. */
export const claim = claimsSchema.table(
  'claim',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    tagId: uuid('tag_id')
      .notNull()
      .references(() => tag.id),
    subjectId: uuid('subject_id')
      .notNull()
      .references(() => subject.id),
    requestedByAppId: uuid('requested_by_app_id')
      .notNull()
      .references(() => application.id),
    state: text('state', { enum: claimStates }).notNull().default('PENDING'),
    /** By which the claim is found from its consent token, as long as the row exists. */
    tokenDigest: bytes('token_digest').notNull().unique(),
    /** The consent token, to be shown again while the claim is PENDING; null after that. */
    tokenSealed: bytes('token_sealed'),
    tokenExpiresAt: moment('token_expires_at').notNull(),
    /** Where the page leads the owner back to, once they have answered. */
    returnUrl: text('return_url'),
    requestedAt: moment('requested_at').notNull(),
    approvedAt: moment('approved_at'),
    revokedAt: moment('revoked_at'),
    /** When the tag's owner consented in person, on the page. */
    ownerConfirmedAt: moment('owner_confirmed_at'),
    ownerConfirmedBy: text('owner_confirmed_by', { enum: ['PASSWORD', 'OTP'] }),
    /** Attempts to prove on the page that one is the owner; each is counted before the proof is checked. */
    proofAttempts: smallint('proof_attempts').notNull().default(0),
    updatedAt: moment('updated_at').notNull(),
    /** Of who asks whom for what, and of the answer (`claim-route.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    check('claim_state', sql`${t.state} in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'REVOKED')`),
    check('claim_token_shown', sql`(${t.tokenSealed} is not null) = (${t.state} = 'PENDING')`),
    check('claim_approved', sql`(${t.approvedAt} is not null) = (${t.state} in ('APPROVED', 'REVOKED'))`),
    check('claim_revoked', sql`(${t.revokedAt} is not null) = (${t.state} = 'REVOKED')`),
    check('claim_owner_confirmed', sql`(${t.ownerConfirmedAt} is null) = (${t.ownerConfirmedBy} is null)`),
    check('claim_owner_confirmed_by', sql`${t.ownerConfirmedBy} in ('PASSWORD', 'OTP')`),
    check('claim_proof_attempts', sql`${t.proofAttempts} between 0 and 5`),
    uniqueIndex('claim_open')
      .on(t.tagId, t.subjectId, t.requestedByAppId)
      .where(sql`${t.state} in ('PENDING', 'APPROVED')`),
    index('claim_tag').on(t.tagId, t.id),
    index('claim_approved').on(t.tagId, t.id).where(sql`${t.state} = 'APPROVED'`),
    index('claim_tag_requester').on(t.tagId, t.requestedByAppId, t.id),
    index('claim_asked').on(t.tagId, t.requestedByAppId, t.requestedAt),
    index('claim_requester').on(t.requestedByAppId, t.id),
    index('claim_pending').on(t.id).where(sql`${t.state} = 'PENDING'`),
    index('claim_due').on(t.tokenExpiresAt).where(sql`${t.state} = 'PENDING'`),
  ],
);

export const federationsSchema = pgSchema('federations');

/** The tags that are one person's with this one, as far as each side said so: its links. */
export const federation = federationsSchema.table(
  'federation',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    primaryTagId: uuid('primary_tag_id')
      .notNull()
      .unique()
      .references(() => tag.id),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [unique('federation_primary').on(t.id, t.primaryTagId)],
);

/** One application says that a tag of its own and another tag belong to one person; the other side confirms it, or does not. */
export const link = federationsSchema.table(
  'link',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    federationId: uuid('federation_id').notNull(),
    /** That of the federation, so that no second link can be opened between two tags, from whichever side. */
    primaryTagId: uuid('primary_tag_id').notNull(),
    linkedTagId: uuid('linked_tag_id')
      .notNull()
      .references(() => tag.id),
    /** The applications of their owners. */
    primaryAppId: uuid('primary_app_id')
      .notNull()
      .references(() => application.id),
    linkedAppId: uuid('linked_app_id')
      .notNull()
      .references(() => application.id),
    method: text('method', { enum: verificationMethods }).notNull(),
    status: text('status', { enum: linkStatuses }).notNull().default('PENDING'),
    /** A keyed digest of the code that the linked side was sent; gone when the link leaves PENDING. */
    tokenDigest: bytes('token_digest'),
    /** Wrong answers to the challenge so far. */
    failures: smallint('failures').notNull().default(0),
    /** How often somebody tried to prove on the page that the linked PayTag is theirs; counted before the proof is looked at. */
    proofAttempts: smallint('proof_attempts').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
    /** Where the approval page leads the customer back to, once they have answered. */
    returnUrl: text('return_url'),
    verifiedAt: moment('verified_at'),
    /** Who verified it: the namespace of an application, or the qualified address of the owner who did so on the approval page. */
    verifiedBy: text('verified_by'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** Of which tags are linked, for whom, and of what verified it (`link-route.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'link_federation',
      columns: [t.federationId, t.primaryTagId],
      foreignColumns: [federation.id, federation.primaryTagId],
    }),
    check('link_status', sql`${t.status} in ('PENDING', 'VERIFIED', 'REJECTED', 'FAILED', 'EXPIRED', 'REVOKED')`),
    check('link_method', sql`${t.method} in ('OTP', 'CONSENT', 'ATTESTATION')`),
    check('link_two_tags', sql`${t.primaryTagId} <> ${t.linkedTagId}`),
    check('link_token', sql`(${t.tokenDigest} is not null) = (${t.status} = 'PENDING' and ${t.method} = 'OTP')`),
    check('link_failures', sql`${t.failures} between 0 and 5`),
    check('link_proof_attempts', sql`${t.proofAttempts} between 0 and 5`),
    check('link_verified_by', sql`(${t.verifiedAt} is null) = (${t.verifiedBy} is null)`),
    check(
      'link_verified',
      sql`case ${t.status} when 'VERIFIED' then ${t.verifiedAt} is not null
            when 'REVOKED' then true else ${t.verifiedAt} is null end`,
    ),
    uniqueIndex('link_open')
      .on(sql`least(${t.primaryTagId}, ${t.linkedTagId})`, sql`greatest(${t.primaryTagId}, ${t.linkedTagId})`)
      .where(sql`${t.status} in ('PENDING', 'VERIFIED')`),
    index('link_gathered').on(t.federationId, t.id),
    index('link_open_primary').on(t.primaryTagId).where(sql`${t.status} in ('PENDING', 'VERIFIED')`),
    index('link_open_linked').on(t.linkedTagId).where(sql`${t.status} in ('PENDING', 'VERIFIED')`),
    index('link_primary').on(t.primaryTagId, t.id),
    index('link_linked').on(t.linkedTagId, t.id),
    index('link_primary_app').on(t.primaryAppId, t.id),
    index('link_linked_app').on(t.linkedAppId, t.id),
    index('link_due').on(t.expiresAt).where(sql`${t.status} = 'PENDING'`),
  ],
);

export const ownerProofsSchema = pgSchema('owner_proofs');

/** The one-time code that proves a tag's owner for one purpose, and how often one was sent for it. */
export const ownerCode = ownerProofsSchema.table(
  'owner_code',
  {
    /** What the code is for, e.g. `consent:` and its id. It proves nothing else. */
    purpose: text('purpose').primaryKey(),
    /** An HMAC of the code sent last; null when it was used, or when there was no address to send it to. */
    codeDigest: bytes('code_digest'),
    codeExpiresAt: moment('code_expires_at'),
    sends: smallint('sends').notNull().default(0),
    /** The last send, by channel: ISO 8601. */
    sentAt: jsonb('sent_at').$type<Record<string, string>>().notNull().default(sql`'{}'`),
    /** When the purpose expires, and this row with it. */
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    check('owner_code_expires', sql`${t.codeDigest} is null or ${t.codeExpiresAt} is not null`),
    index('owner_code_expiry').on(t.expiresAt),
  ],
);
