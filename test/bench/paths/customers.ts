import { wire } from '../load/load.ts';
import { UNIQUE } from '../load/unique.ts';
import type { Row } from '../table.ts';
import type { BenchApplication, World } from '../world/world.ts';
import { besideBare, type Call } from './beside-bare.ts';

const CONNECTIONS = 64;
/** A statement is drawn on the event loop: more of them at once would only wait. */
const STATEMENTS_AT_ONCE = 4;
/** Onboardings that are begun before the clock starts, for as long as codes are then sent. */
const BEGUN_IN = 2;

/** What customers and applications do beside the reads of all day. */
export const customers = (world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> =>
  besideBare(world, seconds, isWanted, () => callsOf(world));

async function callsOf(world: World): Promise<Call[]> {
  const { call, customers: people, applications } = world;
  const [sender] = applications;
  const pending = async ({ headers }: BenchApplication) => {
    type Page = { data: { content: { id: string }[] } };
    const { body } = await call<Page>('GET', '/api/v1/transactions/pending', { headers });
    return body.data.content.map(({ id }) => wire('GET', `/api/v1/transactions/${id}`, headers));
  };
  const offers = (await Promise.all(applications.map(pending))).flat();
  const asked = await Promise.all(
    people.map(async (one) => call<{ url: string }>('POST', '/v2/sso/transaction/statement', one)),
  );
  const statements = asked.map(({ body }) => wire('GET', new URL(body.url).pathname));
  const ofPeople = (path: string) => people.map((one) => wire('GET', path, one.headers));
  return [
    { what: 'GET switch transaction', ours: offers, ceiling: 'one', atLeast: 0.5 },
    {
      what: 'GET switch wallet',
      ours: applications.map(({ headers }) => wire('GET', '/api/v1/wallet', headers)),
      ceiling: 'one',
      atLeast: 0.5,
    },
    {
      what: 'POST switch subject',
      ours: [wire('POST', '/api/v1/subjects', sender.headers, { externalId: UNIQUE, displayName: 'Bola Ade' })],
      ceiling: 'write',
    },
    { what: 'GET SSO onboarding OTP', ours: (ms) => sendCodes(world, ms), ceiling: 'write' },
    { what: 'GET SSO beneficiaries', ours: ofPeople('/v2/sso/beneficiary'), ceiling: 'page', atLeast: 0.5 },
    { what: 'GET SSO transactions', ours: ofPeople('/v2/sso/transaction'), ceiling: 'page', atLeast: 0.5 },
    { what: 'GET SSO QR', ours: ofPeople('/v2/sso/qr'), ceiling: 'one' },
    {
      what: 'POST SSO statement',
      ours: people.map((one) => wire('POST', '/v2/sso/transaction/statement', one.headers)),
      ceiling: 'one',
    },
    { what: 'GET statement, PDF', ours: statements, ceiling: 'page', connections: STATEMENTS_AT_ONCE },
  ];
}

let onboardings = 0;

/** A code for each of many onboardings: one of them may have the next code only after a while. */
async function sendCodes({ load, server, partners }: World, ms: number) {
  const [{ headers }] = partners;
  const begin = () => {
    const number = String((onboardings += 1)).padStart(7, '0');
    const json = { bvn: `2233${number}`, phone: `+234805${number}`, firstName: 'Ada', lastName: 'Obi' };
    return wire('POST', '/v2/sso/create-tag', headers, { ...json, dateOfBirth: '1994-05-17' });
  };
  const order = { port: server.port, connections: CONNECTIONS };
  const requests = Array.from({ length: Math.ceil(ms * BEGUN_IN) }, begin);
  const { bodies } = await load.run({ ...order, ms: 10 * ms, requests, once: true, keepBodies: true });
  const codes = bodies.map((body) => {
    const { session } = JSON.parse(body) as { session: string };
    return wire('GET', `/v2/sso/create-tag/${session}/otp?channel=sms`, headers);
  });
  return load.run({ ...order, ms, requests: codes, once: true });
}
