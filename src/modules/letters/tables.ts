import { sql } from '#drizzle';
import { check, index, jsonb, pgSchema, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';

/** Whose contact is written to. */
const ownerKinds = ['PARTNER', 'APPLICATION'] as const;

/** What a letter may be about that has a link in it, which is good once. */
const linkKinds = ['CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** What a letter is about. */
const letterKinds = [...linkKinds, 'PARTNER_CHANGED', 'MONEY_FREED', 'LIMIT_LIFTED'] as const;

/** What a letter quotes, none of it secret. */
export interface LetterFacts {
  ownerName: string;
  /** The address, masked. */
  to: string;
  /** Of an API key. */
  keyId?: string;
  /** Until when the secret before it is taken as well. */
  previousUntil?: string;
  /** What was changed or freed, in words. */
  what?: string;
}

export const lettersSchema = pgSchema('letters');

/** A mail to the contact of a partner or an application, and the secret that a link in it shows once. */
export const letter = lettersSchema.table(
  'letter',
  {
    id: uuid('id').primaryKey(),
    ownerKind: text('owner_kind', { enum: ownerKinds }).notNull(),
    ownerId: uuid('owner_id').notNull(),
    kind: text('kind', { enum: letterKinds }).notNull(),
    facts: jsonb('facts').$type<LetterFacts>().notNull(),
    /** The address. Dropped once the mail is sent or given up. */
    recipientSealed: bytes('recipient_sealed'),
    /** By which a proof is bound to the address that it was mailed to. */
    addressDigest: bytes('address_digest').notNull(),
    happenedAt: moment('happened_at').notNull(),
    /** How often a worker claimed it. */
    attempts: smallint('attempts').notNull().default(0),
    /** When a worker may claim it; while one has it, when that worker counts as dead. Null: nothing is left to do. */
    dueAt: moment('due_at'),
    sentAt: moment('sent_at'),
    /** Until when its link is good; null: it has none. */
    linkUntil: moment('link_until'),
    /** SHA-256 of the token in the link that was mailed last. */
    tokenDigest: bytes('token_digest').unique(),
    /** What the link shows. Dropped once it has, or can no more. */
    secretSealed: bytes('secret_sealed'),
    openedAt: moment('opened_at'),
    /** The request of an operator that it comes of: done twice, it is one letter. */
    cause: uuid('cause').unique(),
    /** Of the token, and of what it opens (`store.ts`); null: there was none. */
    routingMac: bytes('routing_mac'),
  },
  (t) => [
    check('letter_owner_kind', sql`${t.ownerKind} in ('PARTNER', 'APPLICATION')`),
    check(
      'letter_kind',
      sql`${t.kind} in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET', 'PARTNER_CHANGED', 'MONEY_FREED', 'LIMIT_LIFTED')`,
    ),
    check('letter_due', sql`(${t.dueAt} is null) = (${t.recipientSealed} is null)`),
    check(
      'letter_link',
      sql`case when ${t.linkUntil} is null then num_nonnulls(${t.tokenDigest}, ${t.secretSealed}, ${t.openedAt}) = 0
            else ${t.kind} in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET') end`,
    ),
    check('letter_opened', sql`${t.openedAt} is null or ${t.secretSealed} is null`),
    index('letter_due_at').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('letter_owner').on(t.ownerId, t.happenedAt),
    index('letter_happened').on(t.happenedAt),
    index('letter_kept').on(t.linkUntil).where(sql`${t.secretSealed} is not null`),
  ],
);

/** The address of an owner's contact that has proven to be theirs: by a link that was mailed to it. */
export const provenContact = lettersSchema.table('proven_contact', {
  ownerId: uuid('owner_id').primaryKey(),
  /** Keyed digest of owner and address. */
  addressDigest: bytes('address_digest').notNull(),
  /** Of this row: such a digest stands in each letter too, proven or not. */
  routingMac: bytes('routing_mac').notNull(),
  provenAt: moment('proven_at').notNull(),
});
