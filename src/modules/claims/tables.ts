import { sql } from '#drizzle';
import { check, index, pgSchema, smallint, text, uniqueIndex, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { application, subject } from '#modules/applications';
import { tag } from '#modules/tags';
import { claimStates } from './claim-state.ts';

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
