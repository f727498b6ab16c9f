export { idsOf, liftThrottle, listClosed } from './closed-throttles.ts';
export { type Closed, type Count, createThrottles, type Throttles } from './create-throttles.ts';
export type { Limit } from './limit.ts';
export { createLocalThrottle, type LocalThrottle } from './local-throttle.ts';
export { room } from './room.ts';
