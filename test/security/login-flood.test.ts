import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { logIn, newCustomer, type Person } from '../support/onboarding.ts';

const server = useApp({ RATE_LIMIT_LOGINS_PER_M: '40' });

describe('a partner that logs customers in without end', () => {
  it('V15.2.2: keeps nobody waiting but its own: another partner’s logins are served in their turn', async () => {
    const [flooder, bank] = [await server.newPartner(), await server.newPartner()];
    const theirs: Person[] = [];
    for (let n = 0; n < 4; n++) theirs.push(await newCustomer(server, flooder));
    const ours = await newCustomer(server, bank);

    const answered: { who: string; status: number; retryAfter: unknown }[] = [];
    const note = async (who: string, login: ReturnType<typeof logIn>) => {
      const { statusCode, headers } = await login;
      answered.push({ who, status: statusCode, retryAfter: headers['retry-after'] });
    };
    const flood = Array.from({ length: 120 }, (_, n) => note('flooder', logIn(server, flooder, theirs[n % 4]!.paytag)));
    await Promise.race(flood); // the queue of the flooder is full
    for (let n = 0; n < 3; n++) await note('bank', logIn(server, bank, ours.paytag));
    const flooderMeanwhile = answered.filter(({ who, status }) => who === 'flooder' && status === 200).length;
    await Promise.all(flood);

    const statuses = (whose: string) => answered.filter(({ who }) => who === whose).map(({ status }) => status);
    expect(statuses('bank')).toEqual([200, 200, 200]);
    expect(flooderMeanwhile).toBeLessThan(40);
    expect(new Set(statuses('flooder'))).toEqual(new Set([200, 503]));
    const refused = answered.filter(({ status }) => status === 503);
    for (const { who, retryAfter } of refused) expect([who, retryAfter]).toEqual(['flooder', '1']);
  });
});

describe('logins with one PayTag', () => {
  const env = { RATE_LIMIT_LOGINS_PER_M: '10' };
  const [one, other] = [useApp(env, server), useApp(env, server)];

  it('V2.4.1: are as many in a minute as the limit says, of fifty at once at two processes, at each partner', async () => {
    const [partner, elsewhere] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, partner);
    const logins = Array.from({ length: 50 }, (_, n) => logIn(n % 2 === 0 ? one : other, partner, paytag));
    const answers = await Promise.all(logins);
    const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
    expect([count(200), count(429)]).toEqual([10, 40]);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({ errorCode: 'TOO_MANY_REQUESTS' });
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await logIn(one, elsewhere, paytag)).statusCode).toBe(200);
    server.clock.advance(60_000);
    expect((await logIn(other, partner, paytag)).statusCode).toBe(200);
  });
});
