export { exportCustomer, type PersonExports } from './export-customer.ts';
