import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { randomDigits } from '#lib/random.ts';
import { completeCreation, createPayTag, sendOtp, startCreation, validateOtp } from '#modules/accounts';
import { createPartner } from '#modules/clients';
import { asMinor } from '#modules/ledger';
import { isAvailable } from '#modules/tags';
import { fundFloat } from '#modules/treasury';
import { creditWallet } from '#modules/wallets';
import { createApplications } from './applications.ts';
import { type DemoCredentials, readCredentials, writeCredentials } from './credentials-file.ts';
import { createDemoTerminal } from './terminal.ts';

const ACTOR = 'demo';
const PASSWORD = 'sunny-lagos-monday-42';
const SIMULATOR_OTP = '123456';
const FLOAT = asMinor(1_000_000_00n);
const SALARY = asMinor(25_000_00n);

interface Person {
  firstName: string;
  lastName: string;
  dateOfBirth: string;
  bvn: string;
  phone: string;
}

/**
 * Fills the embedded sandbox at its first start: a partner with a float and a terminal, two customers (Ada, whom the
 * partner created and paid, and Bola, who onboarded), and two applications. Returns their credentials, which are kept in
 * `demo.json` in the data directory and read from there at every later start. After an interrupted first start the demo
 * is made again, with new customers and other handles.
 */
export async function loadDemo(
  deps: DepsOf<typeof createPartner> &
    DepsOf<typeof fundFloat> &
    DepsOf<typeof freeHandle> &
    DepsOf<typeof createPayTag> &
    DepsOf<typeof creditWallet> &
    DepsOf<typeof onboard> &
    DepsOf<typeof createDemoTerminal> &
    DepsOf<typeof createApplications> & { dataDir: string },
): Promise<DemoCredentials> {
  const { dataDir } = deps;
  const existing = await readCredentials(dataDir);
  if (existing !== undefined) return existing;

  const {
    id: partnerId,
    clientId,
    apiKey,
    webhookSecret,
  } = await createPartner(deps, ACTOR, {
    name: 'Demo Partner',
    redirectUrl: 'https://partner.example/callback',
  });
  const funding = { actor: ACTOR, partnerId, amount: FLOAT, currency: 'NGN', reference: `demo-${partnerId}` } as const;
  await fundFloat(deps, funding);

  const [ada, bola] = await Promise.all([freeHandle(deps, 'ada'), freeHandle(deps, 'bola')]);
  const [market, rides] = await Promise.all([freeHandle(deps, 'market'), freeHandle(deps, 'rides')]);
  const adaObi = newPerson('Ada', 'Obi');
  const { reference: wallet } = await createPayTag(deps, { ...adaObi, partnerId, tag: ada });
  await creditWallet(deps, { partnerId, walletReference: wallet, amount: SALARY, reference: 'demo-salary' });
  await onboard(deps, partnerId, adaObi, ada);
  await onboard(deps, partnerId, newPerson('Bola', 'Ade'), bola);

  const terminal = await createDemoTerminal(deps, ACTOR, { partnerId, paytag: ada });
  const { applications, consent } = await createApplications(deps, { ada, market, rides });
  const credentials = {
    partner: { clientId, apiKey, webhookSecret },
    paytags: [ada, bola],
    password: PASSWORD,
    wallet,
    terminal,
    applications,
    consent,
  };
  await writeCredentials(dataDir, credentials);
  return credentials;
}

/** `name`, or the first of name2, name3 … that is free. */
async function freeHandle({ db, clock }: { db: Database; clock: Clock }, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const handle = number === 1 ? name : `${name}${number}`;
    if (await isAvailable(db, handle, clock.now())) return handle;
  }
}

/** A person with a BVN and a phone number of their own. */
const newPerson = (firstName: string, lastName: string): Person => ({
  firstName,
  lastName,
  dateOfBirth: '1994-05-17',
  bvn: `333${randomDigits(8)}`,
  phone: `0803${randomDigits(7)}`,
});

async function onboard(
  deps: DepsOf<typeof startCreation> &
    DepsOf<typeof sendOtp> &
    DepsOf<typeof validateOtp> &
    DepsOf<typeof completeCreation>,
  partnerId: string,
  person: Person,
  paytag: string,
): Promise<void> {
  const { session } = await startCreation(deps, { ...person, partnerId });
  await sendOtp(deps, { partnerId, session, channel: 'sms' });
  await validateOtp(deps, { partnerId, session, otp: SIMULATOR_OTP });
  await completeCreation(deps, { partnerId, session, paytag, password: PASSWORD });
}
