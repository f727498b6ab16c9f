import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, OTP_OF_THE_SIMULATOR, PASSWORD, remotePartner, ssoOf } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { serverEnv, startServer } from '../../support/process.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const database = useDatabase();
const ada = {
  firstName: 'Ada',
  lastName: 'Obi',
  dateOfBirth: '1994-05-17',
  bvn: '22233344455',
  phone: '+2348031234567',
};

let server: ServedHere;
let call: Client;
let partner: Awaited<ReturnType<typeof remotePartner>>;
let sso: ReturnType<typeof ssoOf>;
let session: string;

/** @param how another process remembers nothing of this one */
const start = async (how: typeof serveHere | typeof startServer) => {
  server = await how(serverEnv(database.url));
  call = clientOf(server.url);
};

async function passMinutes(minutes: number): Promise<void> {
  const moved = await call('POST', '/v2/sandbox/time', { headers: partner.headers, json: { seconds: minutes * 60 } });
  expect(moved.status).toBe(200);
}

beforeAll(async () => {
  await start(serveHere);
  partner = await remotePartner(call, { name: 'Acme' });
  sso = ssoOf(call, partner);
});
afterAll(() => server?.stop());

it('1. she begins, has a code sent, and closes the page; another partner never sees that she was there', async () => {
  session = (await sso.start({ ...ada, paytag: 'ada' })).body.session;
  await sso.sendOtp(session);
  const bolt = ssoOf(call, await remotePartner(call, { name: 'Bolt' }));
  expect((await bolt.read(session)).status).toBe(404);
  expect((await bolt.giveOtp(session, OTP_OF_THE_SIMULATOR)).status).toBe(404);
});

it('2. the server is restarted, and she finds her session as she left it', async () => {
  await server.stop();
  await start(startServer);
  sso = ssoOf(call, partner);
  expect(await sso.read(session)).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { status: 'STARTED', validated: false, paytag: 'ada', bvn: '*******4455', firstName: 'Ada' },
  });
});

it('3. six minutes later that code is too old, and a new one is taken', async () => {
  await passMinutes(6);
  const late = await sso.giveOtp(session, OTP_OF_THE_SIMULATOR);
  expect(late).toMatchObject({ status: 400, body: { errorCode: 'OTP_EXPIRED' } });
  expect((await sso.sendOtp(session, 'whatsapp')).status).toBe(200);
  expect((await sso.giveOtp(session, OTP_OF_THE_SIMULATOR)).body).toMatchObject({ validated: true });
  expect((await sso.read(session)).body).toMatchObject({ status: 'VALIDATED', validated: true });
});

it('4. half an hour after she began it is over, though she had proved herself: 410 wherever she goes on', async () => {
  await passMinutes(25);
  const login = { paytag: 'ada', password: PASSWORD };
  const answers = await Promise.all([
    sso.read(session),
    sso.sendOtp(session, 'sms'),
    sso.giveOtp(session, OTP_OF_THE_SIMULATOR),
    sso.complete(session, login),
  ]);
  expect(answers.map(({ status, body }) => [status, body['errorCode']])).toEqual(
    answers.map(() => [410, 'SESSION_EXPIRED']),
  );
  const free = await call('GET', '/v2/sso/verify-tag?paytag=ada', { headers: partner.headers });
  expect(free.body).toEqual({ paytag: 'ada', available: true });
});

it('5. she begins again with the same BVN, and of two sessions that she completes one makes her', async () => {
  const sessions = await Promise.all([sso.start(ada), sso.start(ada)]);
  const ids = sessions.map(({ body }) => body.session);
  for (const [index, id] of ids.entries()) {
    await sso.sendOtp(id, index === 0 ? 'sms' : 'whatsapp');
    await sso.giveOtp(id, OTP_OF_THE_SIMULATOR);
  }
  const done = await Promise.all(ids.map((id) => sso.complete(id, { paytag: 'ada', password: PASSWORD })));
  expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const wallet = await call('GET', '/v2/sso/wallet', { headers: await sso.customer('ada') });
  expect(wallet.body).toMatchObject({ Balance: 0, PayTag: { Tag: 'ada' } });
  const wallets = await call('GET', '/v2/partner/wallet', { headers: partner.headers });
  expect(wallets.body).toMatchObject({ count: 1 });
});
