export { type Account, clearingAccount, findFloat, openFloatAccount, openWalletAccount } from './accounts.ts';
export { type Amounts, amountsOf } from './amounts.ts';
export { asMinor, type Currency, currencies, type Minor, negated } from './money.ts';
export { balancesOf, OPERATOR, post } from './post.ts';
export { account } from './tables.ts';
