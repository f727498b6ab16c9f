import type { DepsOf } from '#lib/deps-of.ts';
import { randomDigits } from '#lib/random.ts';
import { asMinor } from '#modules/ledger';
import { completeCreation, createPayTag, sendOtp, startCreation, validateOtp } from '#modules/onboarding';
import { createPartner } from '#modules/partners';
import { creditWallet, fundFloat } from '#modules/wallets';
import { enrolApplications } from './applications.ts';
import { freeHandle } from './free-handle.ts';
import { type DemoNotes, readNotes, writeNotes } from './notes.ts';
import { setUpTerminal } from './terminal.ts';

const ACTOR = 'demo';
const PASSWORD = 'sunny-lagos-monday-42';
const OTP_OF_THE_SIMULATOR = '123456';
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
 * Fills the embedded sandbox the first time it starts: a partner with a float and a terminal, Ada whom it created and
 * paid, Bola who onboarded, two applications with something between them. What was made is noted in the data directory
 * and found there at every later start; a first start that was interrupted is begun again, with people nobody has met.
 */
export async function loadDemo(
  deps: DepsOf<typeof createPartner> &
    DepsOf<typeof fundFloat> &
    DepsOf<typeof freeHandle> &
    DepsOf<typeof createPayTag> &
    DepsOf<typeof creditWallet> &
    DepsOf<typeof onboard> &
    DepsOf<typeof setUpTerminal> &
    DepsOf<typeof enrolApplications> & { dataDir: string },
): Promise<DemoNotes> {
  const { dataDir } = deps;
  const noted = await readNotes(dataDir);
  if (noted !== undefined) return noted;

  const {
    id: partnerId,
    clientId,
    apiKey,
  } = await createPartner(deps, ACTOR, {
    name: 'Demo Partner',
    redirectUrl: 'https://partner.example/callback',
  });
  const funding = { actor: ACTOR, partnerId, amount: FLOAT, currency: 'NGN', reference: `demo-${partnerId}` } as const;
  await fundFloat(deps, funding);

  const [ada, bola] = await Promise.all([freeHandle(deps, 'ada'), freeHandle(deps, 'bola')]);
  const adaObi = somebody('Ada', 'Obi');
  const { reference: wallet } = await createPayTag(deps, { ...adaObi, partnerId, tag: ada });
  await creditWallet(deps, { partnerId, walletReference: wallet, amount: SALARY, reference: 'demo-salary' });
  await onboard(deps, partnerId, adaObi, ada);
  await onboard(deps, partnerId, somebody('Bola', 'Ade'), bola);

  const terminal = await setUpTerminal(deps, ACTOR, { partnerId, paytag: ada });
  const { applications, consent } = await enrolApplications(deps, ada);
  const notes = {
    partner: { clientId, apiKey },
    paytags: [ada, bola],
    password: PASSWORD,
    wallet,
    terminal,
    applications,
    consent,
  };
  await writeNotes(dataDir, notes);
  return notes;
}

const somebody = (firstName: string, lastName: string): Person => ({
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
  await validateOtp(deps, { partnerId, session, otp: OTP_OF_THE_SIMULATOR });
  await completeCreation(deps, { partnerId, session, paytag, password: PASSWORD });
}
