import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DomainError } from '#lib/domain-error.ts';
import {
  applyDeferred,
  asMinor,
  changeRules,
  expireHolds,
  type Posted,
  type Posting,
  placeHold,
  settleDue,
  systemAccount,
} from '#modules/ledger';
import { repetitions } from '../../support/cases.ts';
import { type Book, checkLedger, useLedger } from '../../support/ledger.ts';
import { newPoster, post, postingBetween, untold } from '../../support/post.ts';

const CLIENTS = 32;
const WALLETS = 8;
const ROUNDS = repetitions({ short: 15, soak: 300 });
const FUNDING = 80_000n;
const [FEE, SUSPENSE] = [systemAccount('FEE', 'NGN'), systemAccount('SUSPENSE', 'NGN')];
const EXPECTED = [
  'INSUFFICIENT_FUNDS',
  'WALLET_BLOCKED',
  'WALLET_PND',
  'WALLET_PNC',
  'REFUND_EXCEEDS',
  'TRANSACTION_NOT_REFUNDABLE',
];

type Answer = string | number;
type Send = (posting: Posting) => Promise<Posted>;
const ledger = useLedger(CLIENTS + 8);
const chance = (percent: number) => randomInt(100) < percent;
const oneOf = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T;

const two = (wallets: readonly number[]): [number, number] => {
  const one = oneOf(wallets);
  return [one, oneOf(wallets.filter((wallet) => wallet !== one))];
};

/** What somebody outside would find to be the same answer again: a refusal for ever, or this transaction. */
async function answerTo(sent: Promise<Posted | number>): Promise<Answer> {
  try {
    const answer = await sent;
    return typeof answer === 'number' ? answer : answer.id;
  } catch (error) {
    if (error instanceof DomainError && EXPECTED.includes(error.code)) return error.code;
    throw error;
  }
}

function transfer(book: Book, wallets: readonly number[], reference: string): Posting {
  const [from, to] = two(wallets);
  const [amount, fee] = [BigInt(randomInt(1, 6_000)), BigInt(randomInt(3))];
  const straight = postingBetween(from, to, amount, { owner: book.partner, partner: book.partner, reference });
  if (fee === 0n) return straight;
  const legs = [
    { account: from, amount: asMinor(-amount - fee), fee: asMinor(fee) },
    { account: to, amount: asMinor(amount) },
    { account: FEE, amount: asMinor(fee) },
  ];
  return { ...straight, fee: asMinor(fee), legs };
}

/**
 * One client: transfers, refunds of them, holds and their captures, and 30 % of all requests sent once more, some of them
 * at once. Answers the first and the later answer to each request that it repeated.
 */
async function client(book: Book, wallets: readonly number[], send: Send, name: number): Promise<[Answer, Answer][]> {
  const sent: { posting: Posting; answer: Answer }[] = [];
  const repeated: [Answer, Answer][] = [];
  const common = { owner: book.partner, partner: book.partner };
  const first = async (posting: Posting) => {
    const [answer, twin] = await Promise.all([
      answerTo(send(posting)),
      chance(20) ? answerTo(send(posting)) : undefined,
    ]);
    sent.push({ posting, answer });
    if (twin !== undefined) repeated.push([answer, twin]);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const reference = `${name}-${round}`;
    const before = sent.length > 0 && chance(30) ? oneOf(sent) : undefined;
    const refunded = chance(20) ? sent.findLast(({ answer }) => typeof answer === 'number') : undefined;
    if (before !== undefined) {
      repeated.push([before.answer, await answerTo(send(before.posting))]);
    } else if (refunded !== undefined) {
      const { source, destination, amount } = refunded.posting;
      const original = Number(refunded.answer);
      const part = BigInt(randomInt(1, Number(amount) + 1));
      await first(
        postingBetween(destination, source, part, { ...common, reference, original, suspenseAccount: SUSPENSE }),
      );
    } else if (chance(20)) {
      const [account, to] = two(wallets);
      const amount = asMinor(BigInt(randomInt(1, 2_000)));
      const expires = chance(30);
      const expiresAt = new Date(expires ? '2020-01-01T00:00:00Z' : '2120-01-01T00:00:00Z');
      const hold = await answerTo(placeHold(ledger.db, { owner: book.partner, reference, account, amount, expiresAt }));
      if (typeof hold === 'number' && !expires)
        await first(postingBetween(account, to, amount, { ...common, reference, hold }));
    } else {
      await first(transfer(book, wallets, reference));
    }
  }
  return repeated;
}

/** Repeats `act` until the clients are done. */
async function meanwhile(isDone: () => boolean, act: () => Promise<unknown>): Promise<number> {
  let times = 0;
  for (; !isDone(); times += 1) await act();
  return times;
}

/** All the money that is in the bank, in one snapshot. */
async function total(): Promise<bigint> {
  const { rows } = await ledger.pool.query(
    `select sum(a.posted + coalesce((select sum(d.amount) from ledger.deferred_delta d where d.account_id = a.id), 0)) as total
       from ledger.account a where a.kind <> 'CLEARING'`,
  );
  return BigInt(rows[0].total);
}

/** As the posters of so many processes post. */
function gathered(processes: number): Send {
  const posters = Array.from({ length: processes }, () => newPoster(ledger.pool, () => undefined));
  return (posting) => oneOf(posters).post(posting);
}

describe.each<[string, () => Send]>([
  ['each in a call of its own', () => (posting) => post(ledger.db, posting)],
  ['gathered', () => gathered(1)],
  ['gathered by two processes', () => gathered(2)],
])('a bank with %s', (_way, sender) => {
  it('neither makes nor loses money, whatever its clients do at once, and nobody waits in a circle', async () => {
    const send = sender();
    const book = await ledger.newBook(FUNDING);
    const wallets = [book.float];
    while (wallets.length < WALLETS) wallets.push(await ledger.newWallet(book.partner));
    const before = await total();
    for (const [at, to] of wallets.slice(1).entries()) {
      await send(
        postingBetween(book.float, to, FUNDING / BigInt(WALLETS), { owner: book.partner, reference: `opening-${at}` }),
      );
    }
    let done = false;
    const isDone = () => done;
    const clients = Promise.all(
      Array.from({ length: CLIENTS }, (_, name) => client(book, wallets, send, name)),
    ).finally(() => {
      done = true;
    });
    const [answers, ...others] = await Promise.all([
      clients,
      meanwhile(isDone, async () => expect(await total()).toBe(before)),
      meanwhile(isDone, () => {
        const status = oneOf(['Enabled', 'Enabled', 'PND', 'PNC', 'Blocked'] as const);
        return ledger.db.transaction((tx) => changeRules(tx, oneOf(wallets), { status }, new Date()));
      }),
      meanwhile(isDone, () => applyDeferred(ledger.db, 10)),
      meanwhile(isDone, () => applyDeferred(ledger.db, 10)),
      meanwhile(isDone, () => settleDue({ db: ledger.db, transact: ledger.transact, afterSettling: untold }, 10)),
      meanwhile(isDone, () => expireHolds(ledger.db, 10)),
    ]);
    const repeated = answers.flat();
    expect(repeated.length).toBeGreaterThan(CLIENTS);
    expect(repeated.map(([, later]) => later)).toEqual(repeated.map(([first]) => first));
    expect(Math.min(...others)).toBeGreaterThan(0);
    expect(await total()).toBe(before);
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });
});
