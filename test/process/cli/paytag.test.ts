import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { runToEnd, serverEnv } from '../../support/process.ts';

const database = useDatabase();
const NOBODY = '00000000-0000-7000-8000-000000000000';
const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.ts', ...args], serverEnv(database.url));

describe('paytag partners fund', () => {
  it.each(['0x10', '1e3', '10.000', '0.1000000000000000055', '-5', '0', ''])(
    'takes no amount like %s',
    async (amount) => {
      const { code, stderr } = await paytag('partners', 'fund', NOBODY, `--amount=${amount}`, '--reference', 'r1');
      expect(code).toBe(1);
      expect(stderr).toContain('--amount');
    },
  );

  it('says in one line what it refuses', async () => {
    const { code, stderr } = await paytag('partners', 'fund', NOBODY, '--amount', '10.50', '--reference', 'r1');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'PARTNER_NOT_FOUND: there is no such partner\n' });
  });

  it('moves no more than APPROVAL_ABOVE, for a command has no second pair of eyes', async () => {
    const env = { ...serverEnv(database.url), APPROVAL_ABOVE: '10.49' };
    const fund = ['partners', 'fund', NOBODY, '--amount', '10.50', '--reference', 'r1'];
    const { code, stderr } = await runToEnd(['src/cli/paytag.ts', ...fund], env);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `ROLE_REFUSED: more than APPROVAL_ABOVE needs two operators: ask for it with POST /operator/v1/partners/${NOBODY}/float\n`,
    );
  });
});

it('paytag --help lists the commands, and an unknown one is refused', async () => {
  expect((await paytag('--help')).stdout).toMatch(/migrate[\s\S]*health[\s\S]*partners[\s\S]*secrets/);
  expect((await paytag('partner')).code).toBe(1);
});
