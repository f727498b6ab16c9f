import type { Database } from '#lib/database.ts';
import {
  applyDeferred,
  asMinor,
  changeRules,
  expireHolds,
  liftLien,
  placeHold,
  placeLien,
  releaseHold,
  settlePending,
  settlePendingTo,
} from '#modules/ledger';
import { type Copy, idOf, send } from '../../support/ledger-copy.ts';
import type { LedgerModel } from '../../support/ledger-model.ts';
import type { Step } from '../../support/ledger-steps.ts';
import { untold } from '../../support/post.ts';
import { postingsOf } from './ledger-postings.ts';

const HOUR_MS = 3_600_000;

/** What a step came to in the model, and in each copy of its books. */
export interface Taken {
  expected: unknown;
  answers: unknown[];
}

interface Books {
  db: Database;
  model: LedgerModel;
  copies: readonly Copy[];
}
type Take<What extends Step['do']> = (books: Books, step: Extract<Step, { do: What }>) => Promise<Taken>;

const each = (copies: readonly Copy[], ask: (copy: Copy) => Promise<unknown>) => Promise.all(copies.map(ask));
const nothing: Taken = { expected: undefined, answers: [] };

const post: Take<'post'> = async ({ db, model, copies }, { batch }) => {
  const postings = postingsOf(batch, model);
  const expected = postings.map((posting) => model.post(posting));
  return { expected, answers: await each(copies, (copy) => send(db, copy, postings, model.now)) };
};

const hold: Take<'hold'> = async ({ db, model, copies }, { again, account, amount, limit, expiresInHours }) => {
  const known = model.holds.length;
  const index = again === undefined || known === 0 ? known : again % known;
  const expiresAt = new Date(model.start.getTime() + expiresInHours * HOUR_MS);
  const state = model.hold({ index, account, amount, expiresAt, limit });
  const answers = await each(copies, async (copy) => {
    const request = { owner: copy.owner, reference: `h${index}`, account: idOf(copy.accounts, account), expiresAt };
    const money = { amount: asMinor(amount), defaultDailyLimit: limit === undefined ? undefined : asMinor(limit) };
    try {
      const id = await placeHold(db, { ...request, ...money }, model.now);
      if (index === known) copy.holds.push(id);
      return id === copy.holds[index] ? 'held' : 'another hold';
    } catch (error) {
      if (index === known) copy.holds.push(await refusedHold(db, copy));
      return error instanceof Error && 'code' in error ? error.code : error;
    }
  });
  return { expected: ['OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED'].includes(state) ? 'held' : state, answers };
};

/** A refused hold has an id too, by which a capture can name it. */
async function refusedHold(db: Database, { owner }: Copy): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(
    `select max(id) as id from ledger.hold where owner_id = '${owner}'`,
  );
  return Number(rows[0]?.id);
}

const release: Take<'release'> = async ({ db, model, copies }, { pick }) => {
  if (model.holds.length === 0) return nothing;
  const index = pick % model.holds.length;
  const expected = model.close('RELEASED', (_hold, at) => at === index) === 1;
  return { expected, answers: await each(copies, ({ holds }) => releaseHold(db, idOf(holds, index), model.now)) };
};

const settleOne: Take<'settle one'> = async ({ db, model, copies }, { pick }) => {
  if (model.transactions.length === 0) return nothing;
  const index = pick % model.transactions.length;
  const expected = model.settle((_one, at) => at === index) === 1;
  const settle = ({ transactions }: Copy) =>
    db.transaction((tx) => settlePending(tx, idOf(transactions, index), { afterSettling: untold, now: model.now }));
  return { expected, answers: await each(copies, settle) };
};

const settle: Take<'settle'> = async ({ db, model, copies }, { account }) => {
  const expected = model.settle(({ posting }) => posting.destination === account);
  const ask = ({ accounts }: Copy) =>
    db.transaction((tx) => settlePendingTo(tx, idOf(accounts, account), { afterSettling: untold, now: model.now }));
  return { expected, answers: await each(copies, ask) };
};

const setRules: Take<'rules'> = async ({ db, model, copies }, { account, status, limit }) => {
  Object.assign(model.account(account), { status, limit });
  const rules = { status, dailyLimit: limit === null ? null : asMinor(limit) };
  const change = ({ accounts }: Copy) =>
    db.transaction(async (tx) => (await changeRules(tx, idOf(accounts, account), rules, model.now)).status);
  return { expected: status, answers: await each(copies, change) };
};

const lien: Take<'lien'> = async ({ db, model, copies }, { account, amount }) => {
  model.liens.push({ account, amount, lifted: false });
  model.account(account).liens += amount;
  await each(copies, async ({ accounts, liens }) => {
    const request = { account: idOf(accounts, account), amount: asMinor(amount), reason: 'court order' };
    liens.push(await db.transaction((tx) => placeLien(tx, request, model.now)));
  });
  return nothing;
};

const lift: Take<'lift'> = async ({ db, model, copies }, { pick }) => {
  const one = model.liens[pick % model.liens.length];
  if (one === undefined) return nothing;
  const expected = !one.lifted;
  if (expected) model.account(one.account).liens -= one.amount;
  one.lifted = true;
  const ask = ({ accounts, liens }: Copy) => {
    const request = { account: idOf(accounts, one.account), lien: idOf(liens, model.liens.indexOf(one)) };
    return db.transaction((tx) => liftLien(tx, request, model.now));
  };
  return { expected, answers: await each(copies, ask) };
};

/** Takes a step in the model and in every copy of its books. */
export async function take(books: Books, step: Step): Promise<Taken> {
  const { db, model } = books;
  if (step.do === 'post') return post(books, step);
  if (step.do === 'hold') return hold(books, step);
  if (step.do === 'rules') return setRules(books, step);
  if (step.do === 'lien') return lien(books, step);
  if (step.do === 'settle') return settle(books, step);
  if (step.do === 'release') return release(books, step);
  if (step.do === 'lift') return lift(books, step);
  if (step.do === 'settle one') return settleOne(books, step);
  if (step.do === 'wait') model.now = new Date(model.now.getTime() + step.minutes * 60_000);
  if (step.do === 'apply deferred') await applyDeferred(db, step.most);
  if (step.do === 'expire') {
    model.close('EXPIRED', ({ expiresAt }) => expiresAt <= model.now);
    await expireHolds(db, 10_000, model.now);
  }
  return nothing;
}
