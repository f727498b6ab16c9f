import { type Clock, systemClock } from '#lib/clock.ts';
import type { BankProvider } from './bank/port.ts';
import { type BvnProvider, BvnProviderDown } from './bvn/port.ts';
import type { EmailProvider } from './email/port.ts';
import type { InboundProvider } from './inbound/port.ts';
import type { PhoneMessenger } from './messaging/port.ts';
import { PayoutNotSent, type PayoutProvider, type PayoutReport, PayoutUnknown } from './payout/port.ts';
import type { Rail } from './rails/port.ts';

const outcomes: Record<string, 'verified' | 'not-found' | 'mismatch' | 'down'> = {
  '22222222200': 'verified',
  '22222222201': 'not-found',
  '22222222202': 'mismatch',
  '22222222203': 'down',
};

/** The BVN whose birth date the simulated register compares. */
const BORN = { bvn: '22222222204', on: '1990-05-17' };

/** The phone that the simulated register holds for every BVN, in addition to the one it is asked for. */
const REGISTERED_PHONE = '+2348030000001';

/**
 * A register for development: its answer depends on what it is sent alone. A BVN that is not listed here is verified, one
 * with its birth date alone, a phone that ends in 0000 is not on it, and neither is an e-mail address at unregistered.example or the other name
 * Unregistered.
 */
export const bvnSimulator: BvnProvider = {
  comparesPhones: true,
  async verify({ bvn, dateOfBirth = BORN.on, phone = REGISTERED_PHONE, email, otherName }) {
    const outcome = outcomes[bvn] ?? 'verified';
    if (outcome === 'down') throw new BvnProviderDown('the simulated register did not answer in time');
    if (outcome !== 'verified') return { outcome };
    if (phone.endsWith('0000') || (bvn === BORN.bvn && dateOfBirth !== BORN.on)) return { outcome: 'mismatch' };
    return {
      outcome,
      phone,
      holdsEmail: email !== undefined && !/@unregistered\.example$/i.test(email),
      holdsOtherName: otherName !== undefined && otherName.toLowerCase() !== 'unregistered',
    };
  },
};

const banks: Record<string, string> = {
  '011': 'First Bank of Nigeria',
  '033': 'United Bank For Africa',
  '044': 'Access Bank',
  '057': 'Zenith Bank',
  '058': 'Guaranty Trust Bank',
};

/** Banks for development: an account number that ends in 1 does not exist; any other account is the claimant's. */
export const bankSimulator: BankProvider = {
  async enquire({ accountNumber, bankCode, claimant: { firstName, otherName, lastName } }) {
    if (accountNumber.endsWith('1')) return undefined;
    const names = [lastName, firstName, otherName].filter((name) => name !== undefined);
    return { bankName: banks[bankCode] ?? `Bank ${bankCode}`, accountName: names.join(' ').toUpperCase() };
  },
};

const HOUR_MS = 3_600_000;

/** What happens to a payment, by the kobo of its amount; to any other: it succeeds. */
const REFUSED = 1n;
const UNKNOWN_THEN_SUCCESSFUL = 2n;
const UNKNOWN_FOR_AN_HOUR = 3n;
const SUCCESSFUL_THEN_REVERSED = 4n;

/**
 * A bank for development: by the kobo of its amount a payment is refused (.01), is of unknown end and then successful (.02), is of
 * unknown end for an hour (.03), or is successful and then reversed (.04). Any other succeeds at once.
 */
export const payoutSimulator = (clock: Clock = systemClock): PayoutProvider => ({
  name: 'simulator',
  leastAmount: 100n,
  recheckAfterMs: 2_000,
  async send({ amount }, record): Promise<PayoutReport> {
    if (!(await record())) throw new PayoutNotSent('another worker has taken it over');
    const kobo = amount % 100n;
    if (kobo === REFUSED) return { state: 'FAILED', detail: 'refused by the simulator' };
    if (kobo === UNKNOWN_THEN_SUCCESSFUL || kobo === UNKNOWN_FOR_AN_HOUR) {
      throw new PayoutUnknown('the simulator does not answer');
    }
    return { state: 'SUCCESSFUL' };
  },
  async verify({ amount }, sentAt): Promise<PayoutReport> {
    const kobo = amount % 100n;
    if (kobo === REFUSED) return { state: 'FAILED', detail: 'refused by the simulator' };
    if (kobo === UNKNOWN_FOR_AN_HOUR && clock.now().getTime() < sentAt.getTime() + HOUR_MS) {
      throw new PayoutUnknown('the simulator does not answer');
    }
    return { state: kobo === SUCCESSFUL_THEN_REVERSED ? 'REVERSED' : 'SUCCESSFUL' };
  },
});

/** A bank for development: each wallet has the same account number whenever it is asked for, one that begins with 9, and no two the same. */
export const inboundSimulator: InboundProvider = {
  name: 'simulator',
  async assign({ account, firstName, lastName }) {
    const digits = String(account % 1_000_000_000).padStart(9, '0');
    return {
      accountNumber: `9${digits}`,
      bankName: 'PayTag Test Bank',
      bankCode: '999',
      accountName: `PAYTAG/${lastName} ${firstName}`.toUpperCase(),
    };
  },
};

/** The simulators keep no list of what they moved: there is nothing to compare, and nothing that differs. */
export const simulatorRail = (carries: Rail['carries']): Rail => ({
  name: 'simulator',
  carries,
  list: async () => undefined,
  find: async () => undefined,
});

/** Sends nothing. Its code is always 123456, so that a developer needs no phone. */
export const phoneSimulator: PhoneMessenger = {
  async send() {},
  newCode: () => '123456',
};

/** Accepts every message and sends none. */
export const emailSimulator: EmailProvider = {
  async send() {},
};

/** What the simulators answer to, each with what happens. A test holds it to them. */
const testValues: readonly (readonly [value: string, outcome: string])[] = [
  ['BVN `22222222200`', 'is verified, whatever the names'],
  ['BVN `22222222201`', 'is unknown: 400 `BVN_NOT_FOUND`'],
  ['BVN `22222222202`', 'does not match: 400 `BVN_MISMATCH`'],
  ['BVN `22222222203`', 'the register does not answer: 502 `BVN_PROVIDER_UNAVAILABLE`'],
  ['BVN `22222222204`', 'is verified with `dateOfBirth` 1990-05-17 or none; with another: 400 `BVN_MISMATCH`'],
  ['any other 11 digits', 'are verified'],
  ['phone ending in `0000`', "is not the register's: 400 `BVN_MISMATCH`"],
  ['any other phone', 'is on the register, for every BVN'],
  ['no phone given to `POST /v2/sso/create-tag`', "the code goes to the register's, `+2348030000001`"],
  [
    'e-mail address at `unregistered.example`',
    "is not the register's: it is kept and shown, and as a channel it is 400 `OTP_CHANNEL_UNAVAILABLE`",
  ],
  ['any other e-mail address', 'is on the register, for every BVN'],
  [
    '`otherName` `Unregistered` of a new customer',
    "is not the register's: it is kept, and no part of the name that others see",
  ],
  ['any other `otherName`', 'is on the register, for every BVN'],
  ['one-time password `123456`', 'is the code of every phone and e-mail message; nothing is sent'],
  ['bank account number ending in `1`', 'does not exist: 400 `BANK_ACCOUNT_NOT_FOUND`'],
  ['any other account number', "is in the customer's own name"],
  ['payout whose amount has the kobo `.01`', 'is refused: `Failed`, with `FailureReason` `PAYOUT_REFUSED`'],
  [
    'payout whose amount has the kobo `.02`',
    'is of unknown end when it is sent, and `Successful` once it is asked about',
  ],
  [
    'payout whose amount has the kobo `.03`',
    'is of unknown end for an hour, or until time is moved forward by as much, and then `Successful`',
  ],
  ['payout whose amount has the kobo `.04`', 'is `Successful`, and `Reversed` a few seconds later'],
  ['any other payout', 'is `Successful` at once'],
];

/** The same as a table in Markdown: in the guide to the sandbox, and in the OpenAPI document. */
export const testValuesTable = [
  '| Value | What happens |',
  '|---|---|',
  ...testValues.map(([value, outcome]) => `| ${value} | ${outcome} |`),
].join('\n');
