import { businessDay } from '#modules/ledger';

/** A test of what counts on one day in Lagos: it is begun anew when that day ended in the middle of it. */
export const withinOneDay = (work: () => Promise<void>) => async (): Promise<void> => {
  const today = () => businessDay(new Date());
  const day = today();
  try {
    await work();
  } catch (error) {
    if (today() === day) throw error;
    await work();
  }
};
