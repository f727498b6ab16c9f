import { type BvnProvider, BvnProviderDown, type BvnVerdict } from './port.ts';

const outcomes: Record<string, BvnVerdict | 'down'> = {
  '22222222200': 'verified',
  '22222222201': 'not-found',
  '22222222202': 'mismatch',
  '22222222203': 'down',
};

/** A register for development: its answer depends on the BVN alone. A BVN that is not listed here is verified. */
export const bvnSimulator: BvnProvider = {
  async verify({ bvn }) {
    const verdict = outcomes[bvn] ?? 'verified';
    if (verdict === 'down') throw new BvnProviderDown('the simulated register did not answer in time');
    return verdict;
  },
};
