import { and, eq, gt, ne, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { type Given, prepared, preparedOne } from '#lib/prepared.ts';
import { preparedColumns, type Written } from '#lib/prepared-columns.ts';
import { creationSession } from './tables.ts';

export type CreationRow = typeof creationSession.$inferSelect;

/** Which session: its digest, and the partner it is bound to. */
export interface CreationKey {
  digest: Buffer;
  partnerId: string;
}

const isGiven = ({ digest, partnerId }: Given<CreationKey>) =>
  and(eq(creationSession.digest, digest), eq(creationSession.partnerId, partnerId));

/** Stores a new session. */
export async function insertCreation(db: Executor, values: typeof creationSession.$inferInsert): Promise<CreationRow> {
  const [created] = await add(db, values, {});
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

const add = preparedColumns(
  'onboarding.add-session',
  creationSession,
  (db, written: Written<typeof creationSession.$inferInsert>) => db.insert(creationSession).values(written).returning(),
);

/** The session, read without a lock. */
export const selectCreation = preparedOne('onboarding.session', (db, given: Given<CreationKey>) =>
  db.select().from(creationSession).where(isGiven(given)),
);

/** The session. Locked until the transaction ends. */
export const lockCreation = preparedOne('onboarding.lock-session', (db, given: Given<CreationKey>) =>
  db.select().from(creationSession).where(isGiven(given)).for('update'),
);

/** Changes a session that the transaction has locked. */
export async function updateCreation(tx: Tx, key: CreationKey, values: Partial<CreationRow>): Promise<void> {
  await change(tx, values, key);
}

const change = preparedColumns(
  'onboarding.change-session',
  creationSession,
  (db, written: Written<Partial<CreationRow>>, given: Given<CreationKey>) =>
    db.update(creationSession).set(written).where(isGiven(given)),
);

/** Takes back a send that did not happen, unless another came after it: the code before it counts again. */
export async function undoSend(
  db: Executor,
  key: CreationKey,
  { codeReference, before }: { codeReference: string; before: CreationRow },
): Promise<void> {
  const { codeDigest, codeChannel, codeReference: sentBefore, codeExpiresAt, sentAt } = before;
  const values = { codeDigest, codeChannel, codeReference: sentBefore, codeExpiresAt, sentAt };
  await undo(db, values, { ...key, undone: codeReference });
}

const undo = preparedColumns(
  'onboarding.undo-send',
  creationSession,
  (db, written: Written<Omit<Partial<CreationRow>, 'sends'>>, given: Given<CreationKey & { undone: string }>) =>
    db
      .update(creationSession)
      .set({ ...written, sends: sql`${creationSession.sends} - 1` })
      .where(and(isGiven(given), eq(creationSession.codeReference, given.undone))),
);

/** Expires every password reset of a customer, except one if that is given. */
export async function endResets(
  tx: Tx,
  { customerId, except }: { customerId: string; except?: Buffer | undefined },
  now: Date,
): Promise<void> {
  await endThose(tx, { customerId, except: except ?? NO_DIGEST, now });
}

/** Of no session. */
const NO_DIGEST = Buffer.alloc(0);

const endThose = prepared(
  'onboarding.end-resets',
  (db, given: Given<{ customerId: string; except: Buffer; now: Date }>) =>
    db
      .update(creationSession)
      .set({ expiresAt: sql`${given.now}` })
      .where(
        and(
          eq(creationSession.customerId, given.customerId),
          eq(creationSession.kind, 'PASSWORD_RESET'),
          ne(creationSession.digest, given.except),
          gt(creationSession.expiresAt, given.now),
        ),
      ),
);

/** Expires the changes of a customer's contacts that wait for their code. @returns whether there was one */
export async function endContactChanges(tx: Tx, customerId: string, now: Date): Promise<boolean> {
  return (await endChanges(tx, { customerId, now })).length > 0;
}

const endChanges = prepared('onboarding.end-changes', (db, given: Given<{ customerId: string; now: Date }>) =>
  db
    .update(creationSession)
    .set({ expiresAt: sql`${given.now}` })
    .where(
      and(
        eq(creationSession.customerId, given.customerId),
        eq(creationSession.kind, 'CONTACT_CHANGE'),
        eq(creationSession.status, 'STARTED'),
        gt(creationSession.expiresAt, given.now),
      ),
    )
    .returning({ digest: creationSession.digest }),
);

/** Expires every session of a customer, whatever it is for. */
export async function endCreationsOf(tx: Tx, customerId: string, now: Date): Promise<void> {
  await endAll(tx, { customerId, now });
}

const endAll = prepared('onboarding.end-sessions', (db, given: Given<{ customerId: string; now: Date }>) =>
  db
    .update(creationSession)
    .set({ expiresAt: sql`${given.now}` })
    .where(and(eq(creationSession.customerId, given.customerId), gt(creationSession.expiresAt, given.now))),
);
