export { correctCustomer } from './correct-customer.ts';
export { eraseCustomer } from './erase-customer.ts';
export { exportCustomer, type PersonExports } from './export-customer.ts';
export { room } from './room.ts';
