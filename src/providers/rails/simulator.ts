import type { Rail } from './port.ts';

/** The simulators keep no list of what they moved: there is nothing to compare, and nothing that differs. */
export const simulatorRail: Rail = {
  name: 'simulator',
  list: async () => undefined,
  find: async () => undefined,
};
