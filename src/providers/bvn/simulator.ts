import { type BvnProvider, BvnProviderDown, type BvnVerdict } from './port.ts';

/** The last digit of 2222222220x decides; every other number is somebody's. */
const rehearsed: Record<string, BvnVerdict | 'down'> = {
  '22222222200': 'verified',
  '22222222201': 'not-found',
  '22222222202': 'mismatch',
  '22222222203': 'down',
};

/** A register for development: what it answers depends on the number alone. */
export const bvnSimulator: BvnProvider = {
  async verify({ bvn }) {
    const verdict = rehearsed[bvn] ?? 'verified';
    if (verdict === 'down') throw new BvnProviderDown('the simulated register did not answer in time');
    return verdict;
  },
};
