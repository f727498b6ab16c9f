import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { type LoggedIn, loggedIn, pay } from '../../support/wallets.ts';

const server = useSharedApp();
const remove = ({ headers }: Pick<LoggedIn, 'headers'>, payload: object) =>
  server.call('DELETE', '/v2/sso/beneficiary', { headers, payload });
const countOf = async ({ headers }: LoggedIn) =>
  (await server.call('GET', '/v2/sso/beneficiary', { headers })).json<{ count: number }>().count;

async function adaWhoPaid() {
  const partner = await server.newPartner({ float: 100 });
  const [ada, bola] = [await loggedIn(server, partner, 10), await loggedIn(server, partner)];
  await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'a' });
  return { ada, bola };
}

describe('200', () => {
  it('answers true when one was removed, and false when there was none', async () => {
    const { ada, bola } = await adaWhoPaid();
    const removed = await remove(ada, { paytag: `@${bola.paytag.toUpperCase()}` });
    expect(removed.statusCode).toBe(200);
    expect(removed.headers['content-type']).toContain('application/json');
    expect(removed.body).toBe('true');
    expect(await countOf(ada)).toBe(0);
    for (const paytag of [bola.paytag, 'nobody.here', 'no such tag!']) {
      expect((await remove(ada, { paytag })).body).toBe('false');
    }
  });

  it('removes no one else’s, and a later transfer adds the beneficiary again', async () => {
    const { ada, bola } = await adaWhoPaid();
    expect((await remove(bola, { paytag: bola.paytag })).body).toBe('false');
    expect(await countOf(ada)).toBe(1);
    await remove(ada, { paytag: bola.paytag });
    await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'a' }); // a repeated reference pays no one
    expect(await countOf(ada)).toBe(0);
    await pay(server, ada, { paytag: bola.paytag, amount: 1, reference: 'b' });
    expect(await countOf(ada)).toBe(1);
  });
});
