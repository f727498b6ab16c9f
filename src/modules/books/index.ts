export { addUpDays } from './add-up.ts';
export { lowFloats } from './low-floats.ts';
export { type MoneyOfDay, moneyOfDay } from './money-of-day.ts';
export { type PartnerDay, partnerDay } from './partner-day.ts';
export { room } from './room.ts';
export { selectLagS as measureLagS } from './store.ts';
export { type TrialBalance, trialBalance } from './trial-balance.ts';
