export {
  type Account,
  type Amounts,
  accountRoute,
  amountsOf,
  changeRules,
  closeAccount,
  type Float,
  findApplicationAccount,
  findFloat,
  floatsIfAny,
  floatsOf,
  lockAccount,
  lockAccounts,
  openApplicationAccount,
  openFloatAccount,
  openWalletAccount,
} from './accounts.ts';
export { businessDay, spentOn, startOfDay } from './business-day.ts';
export {
  findAsPosted,
  findNamed,
  findNamedByPartners,
  findPartnerTransaction,
  findWalletAccount,
  type HoldRow,
  historyOf,
  type Movement,
  type NamedEntry,
  partsOf,
  type TransactionRow,
  type TransactionWithEntry,
} from './find-transaction.ts';
export {
  expireHolds,
  findLien,
  holdDigest,
  type Lien,
  liensOf,
  liftLien,
  listLiens,
  listOpenHolds,
  type OpenHold,
  placeHold,
  placeLien,
  releaseHold,
} from './holds.ts';
export { isShownAs, listMovements, listTransactions, type TransactionFilter } from './list-transactions.ts';
export { addUpDays, applyDeferred, measureLagS, measureLedger } from './maintenance.ts';
export {
  asMinor,
  type Charge,
  type Currency,
  chargeOn,
  currencies,
  type Minor,
  negated,
  toMajor,
} from './money.ts';
export { lowFloats, type MoneyOfDay, moneyOfDay } from './money-of-day.ts';
export { type PartnerDay, partnerDay } from './partner-day.ts';
export {
  type AfterSettling,
  countPendingAbout,
  countPendingTransactions,
  hasPending,
  listPending,
  moneyBehind,
  type PendingFilter,
  parkingReasonOf,
  settleDue,
  settledAccountOf,
  settlePending,
  settlePendingInto,
  settlePendingTo,
} from './pending.ts';
export {
  capture,
  countPosting,
  createPoster,
  createPostingCall,
  findFirstResult,
  type Poster,
  sourceStatusOf,
  voidTransaction,
} from './poster.ts';
export {
  ALL_PARTNERS,
  assertPosted,
  balancesOf,
  type Leg,
  type Namer,
  namers,
  type PendingReason,
  POSTING_PURPOSE,
  type Posted,
  type Posting,
  type PostingResult,
  type Refusal,
  type Request,
  refusalError,
  type TransactionType,
  toRefusal,
} from './posting.ts';
export {
  findReversalOf,
  findTransactionsNamed,
  lockTransaction,
  type NamedTransaction,
  reversalPosting,
  reversingLegs,
} from './reversal.ts';
export { room } from './room.ts';
export { movementsIn, pagesOf, periodOf } from './statement.ts';
export { accountKinds, lockOwnBalance, ownAccounts, ownKindOf, systemAccount } from './system-accounts.ts';
export { account, hold, lien, transaction } from './tables.ts';
export { type TrialBalance, trialBalance } from './trial-balance.ts';
