export { room } from './room.ts';
export { momentText, sendNotices } from './send-notices.ts';
export { tellCustomer } from './tell-customer.ts';
