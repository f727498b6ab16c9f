import { and, eq, gt, ne, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { creationSession } from './tables.ts';

export type CreationRow = typeof creationSession.$inferSelect;

/** Which session: its digest, and the partner it is bound to. */
export interface CreationKey {
  digest: Buffer;
  partnerId: string;
}

const isGiven = ({ digest, partnerId }: Given<CreationKey>) =>
  and(eq(creationSession.digest, digest), eq(creationSession.partnerId, partnerId));

/** Whose a session is, what was given in it, and whether a code has proven it. */
const creationRoute = {
  table: 'onboarding.creation_session',
  columns: [
    'digest',
    'partnerId',
    'kind',
    'customerId',
    'firstName',
    'lastName',
    'otherName',
    'isOtherNameConfirmed',
    'isEmailProven',
    'paytag',
    'status',
  ],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [creationRoute];

type NewCreation = Omit<
  typeof creationSession.$inferInsert,
  'kind' | 'status' | 'isOtherNameConfirmed' | 'routingMac'
> &
  Pick<CreationRow, 'kind' | 'customerId' | 'isOtherNameConfirmed' | 'isEmailProven'>;

/** Stores a new session. */
export async function insertCreation(db: Executor, keyring: Keyring, values: NewCreation): Promise<CreationRow> {
  const { otherName = null, paytag = null } = values;
  const named = { ...values, otherName, paytag, status: 'STARTED' as const };
  const [created] = await add(db, { ...named, routingMac: routingMacOf(keyring, creationRoute, named) }, {});
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

const add = preparedColumns(
  'onboarding.add-session',
  creationSession,
  (db, written: Written<typeof creationSession.$inferInsert>) => db.insert(creationSession).values(written).returning(),
);

/** The session, read without a lock. @throws AlteredRecord */
export const selectCreation = async (
  db: Executor,
  keyring: Keyring,
  key: CreationKey,
): Promise<CreationRow | undefined> => authenticIn(keyring, await read(db, key));

/** The session. Locked until the transaction ends. @throws AlteredRecord */
export const lockCreation = async (tx: Tx, keyring: Keyring, key: CreationKey): Promise<CreationRow | undefined> =>
  authenticIn(keyring, await lock(tx, key));

function authenticIn(keyring: Keyring, found: CreationRow | undefined): CreationRow | undefined {
  if (found !== undefined) assertAuthentic(keyring, creationRoute, found);
  return found;
}

const read = preparedOne('onboarding.session', (db, given: Given<CreationKey>) =>
  db.select().from(creationSession).where(isGiven(given)),
);

const lock = preparedOne('onboarding.lock-session', (db, given: Given<CreationKey>) =>
  db.select().from(creationSession).where(isGiven(given)).for('update'),
);

/** Changes a session that the transaction has locked. */
export async function updateCreation(
  tx: Tx,
  keyring: Keyring,
  { digest, partnerId, ...locked }: CreationRow,
  values: Partial<CreationRow>,
): Promise<void> {
  const key = { digest, partnerId };
  const routingMac = routingMacOf(keyring, creationRoute, { ...key, ...locked, ...values });
  await change(tx, { ...values, routingMac }, key);
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
