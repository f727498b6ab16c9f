import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp();
const check = () => server.operate('GET', '/ledger/check');

describe('200', () => {
  it('every invariant by name, and the rows that offend against one that is broken', async () => {
    const { wallet } = await fundedWallet(server, 100);
    const before = await check();
    expect(before.statusCode).toBe(200);
    expect(before.json().ok).toBe(true);
    expect(before.json().checks.length).toBeGreaterThanOrEqual(6);
    for (const one of before.json().checks) expect(one).toEqual({ name: expect.any(String), violations: 0 });

    await server.resources.pool.query('update ledger.account set suspended = 50 where reference = $1', [wallet]);
    const after = (await check()).json();
    expect(after.ok).toBe(false);
    const broken = after.checks.filter(({ violations }: { violations: number }) => violations > 0);
    expect(broken).toEqual([
      {
        name: 'suspended_is_what_is_held',
        violations: 1,
        offenders: [{ id: expect.any(String), suspended: '50', held: null }],
      },
    ]);
  });
});
