import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, leavesNothingBut } from '../../support/books.ts';
import { newReference } from '../../support/payments.ts';
import { refusalOf } from '../../support/refusals.ts';
import { earn } from '../../support/suspense.ts';

const server = useApp();
const remit = (body: object) =>
  server.operate('POST', '/remittances', { account: 'FEE', reference: newReference(), reason: 'March', ...body });
const balanceOf = async (account: string): Promise<number> => {
  const { items } = (await server.operate('GET', '/accounts')).json();
  return items.find((one: { account: string; currency: string }) => one.account === account && one.currency === 'NGN')
    .balance;
};

describe('200', () => {
  it('takes it from the account to the bank’s clearing, once', async () => {
    await earn(server, 1_000n);
    const [fees, clearing] = [await balanceOf('FEE'), await balanceOf('CLEARING')];
    const body = { amount: 7.5, reference: 'march' };
    const answer = await remit(body);
    expect(answer.json()).toEqual({ account: 'FEE', amount: 7.5, currency: 'NGN', reference: 'march' });
    expect((await remit(body)).json()).toEqual(answer.json());
    expect([await balanceOf('FEE'), await balanceOf('CLEARING')]).toEqual([fees - 7.5, clearing + 7.5]);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('never more than is there, also when many ask at once', async () => {
    await earn(server, 1_000n);
    const there = await balanceOf('FEE');
    const answers = await Promise.all(Array.from({ length: 8 }, () => remit({ amount: there / 2 })));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toHaveLength(6);
    for (const answer of refused) expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(await balanceOf('FEE')).toBe(0);
  });
});

describe('400', () => {
  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 1, account: 'SUSPENSE' }, 'account'],
    [{ amount: 1, reason: '' }, 'reason'],
  ])('%j', async (body, field) => {
    const answer = await remit(body);
    expect([answer.statusCode, answer.json().errors[0]]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${field}: `)),
    ]);
  });
});

describe('409', () => {
  it('a reference that stands for another remittance', async () => {
    await earn(server, 1_000n);
    await remit({ amount: 1, reference: 'april' });
    expect(refusalOf(await remit({ amount: 2, reference: 'april' }))).toEqual([409, 'REFERENCE_REUSED']);
  });
});

describe('422', () => {
  it('more than is there leaves nothing but the declined reference', async () => {
    const answer = await leavesNothingBut(server, 1, () => remit({ account: 'STAMP_DUTY', amount: 0.01 }));
    expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });
});
