import type { Rail } from './port.ts';

/** The simulators keep no list of what they moved: there is nothing to compare, and nothing that differs. */
export const simulatorRail = (carries: Rail['carries']): Rail => ({
  name: 'simulator',
  carries,
  list: async () => undefined,
  find: async () => undefined,
});
