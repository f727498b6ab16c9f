export { momentText } from './notice-text.ts';
export { eraseOf, exportOf } from './person-store.ts';
export { sendNotices } from './send-notices.ts';
export { deleteNoticesBefore } from './store.ts';
export { sealedColumns, tellCustomer } from './tell-customer.ts';
