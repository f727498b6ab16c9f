import { type BvnProvider, BvnProviderDown } from './port.ts';

const outcomes: Record<string, 'verified' | 'not-found' | 'mismatch' | 'down'> = {
  '22222222200': 'verified',
  '22222222201': 'not-found',
  '22222222202': 'mismatch',
  '22222222203': 'down',
};

/** Whose birth date the simulated register compares. */
const BORN = { bvn: '22222222204', on: '1990-05-17' };

/** The phone that the simulated register holds for every BVN, beside all those it is asked for. */
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
