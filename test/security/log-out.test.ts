import { describe, expect, it } from 'vitest';
import { type Answer, useApp } from '../support/app.ts';
import { actOn, customerIdOf } from '../support/customers.ts';
import { completeReset, validatedReset } from '../support/password-reset.ts';
import { type LoggedIn, loggedIn, logInAt } from '../support/wallets.ts';

const server = useApp();
const other = useApp({}, server);

const logOut = ({ headers }: Pick<LoggedIn, 'headers'>): Promise<Answer> =>
  server.call('DELETE', '/v2/sso/token', { headers });
const walletOf = ({ headers }: Pick<LoggedIn, 'headers'>, app = server) =>
  app.call('GET', '/v2/sso/wallet', { headers });

/** Sets a new password by a code. */
const newPassword = async ({ partner, paytag }: LoggedIn): Promise<Answer> =>
  completeReset(server, partner, await validatedReset(server, partner, paytag));

describe('V7.4.1: a customer who logs out', () => {
  it('ends their token at once, in every process within a second, and no other of theirs', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    const second = await logInAt(server, partner, ada);
    expect((await walletOf(ada, other)).statusCode).toBe(200);
    const answer = await logOut(ada);
    expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, true, 'no-store']);
    expect((await walletOf(ada)).json().errorCode).toBe('INVALID_CUSTOMER_TOKEN');
    server.clock.advance(1_000);
    for (const app of [server, other]) {
      expect((await walletOf(ada, app)).json().errorCode).toBe('INVALID_CUSTOMER_TOKEN');
    }
    expect((await walletOf(second)).statusCode).toBe(200);
  });

  it('may do so twice: the second time there is nothing to end', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const answers = await Promise.all([logOut(ada), logOut(ada), logOut(ada)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(answers.filter((answer) => answer.json() === true)).toHaveLength(1);
  });

  it('is nobody whose token another partner sends, or nobody made', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const stranger = await server.newPartner();
    const { authorization = '' } = ada.headers;
    for (const headers of [
      { ...stranger.headers, authorization },
      { ...ada.headers, authorization: 'Bearer a.b.c' },
    ]) {
      const answer = await logOut({ headers });
      expect([answer.statusCode, answer.json().errorCode]).toEqual([401, 'INVALID_CUSTOMER_TOKEN']);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
    expect((await walletOf(ada)).statusCode).toBe(200);
  });
});

describe('V7.4.3: a link to a statement dies with the session that asked for it', () => {
  const linkOf = async ({ headers }: LoggedIn): Promise<string> =>
    (await server.call('POST', '/v2/sso/transaction/statement', { headers })).json<{ url: string }>().url;
  const open = async (url: string) => server.call('GET', new URL(url).pathname);

  it.each<[string, (ada: LoggedIn) => Promise<unknown>]>([
    ['log out', logOut],
    ['a new password', (ada) => newPassword(ada)],
    ['a closed PayTag', (ada) => server.operate('POST', `/tags/${ada.paytag}/close`, { reason: 'a test asks for it' })],
    [
      'a wallet that is revoked',
      (ada) => server.operate('POST', `/wallets/${ada.wallet}/revoke`, { reason: 'a test' }),
    ],
    ['a freeze', async (ada) => actOn(server, await customerIdOf(server, ada.paytag), 'freeze')],
    ['the end of its token', async () => server.clock.advance(31 * 60 * 1000)],
  ])('%s', async (_what, end) => {
    const ada = await loggedIn(server, await server.newPartner());
    const link = await linkOf(ada);
    expect((await open(link)).statusCode).toBe(200);
    await end(ada);
    const answer = await open(link);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([410, 'STATEMENT_LINK_EXPIRED']);
  });

  it('and no sooner: another of their sessions may end', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const second = await logInAt(server, ada.partner, ada);
    const link = await linkOf(ada);
    await logOut(second);
    expect((await open(link)).statusCode).toBe(200);
  });
});
