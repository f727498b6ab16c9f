export { momentText } from './notice-text.ts';
export { room } from './room.ts';
export { sendNotices } from './send-notices.ts';
export { tellCustomer } from './tell-customer.ts';
