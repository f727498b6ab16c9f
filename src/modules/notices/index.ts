export { momentText } from './notice-text.ts';
export { eraseOf, exportOf } from './person-store.ts';
export { retention } from './retention.ts';
export { sendNotices } from './send-notices.ts';
export { sealedColumns, tellCustomer } from './tell-customer.ts';
