export { exportSeals, listSeals, sealedUntil } from './list-seals.ts';
export { retention } from './retention.ts';
export { type PublishedSeal, sealDue } from './seal-due.ts';
export {
  follows,
  hoursIn,
  hoursOfDay,
  type ReadSeal,
  readSealAlone,
  readSealsBetween,
  type SealedHour,
} from './sealed-hours.ts';
export { type Finding, verifySeals } from './verify-seals.ts';
