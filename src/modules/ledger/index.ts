export { changeRules, closeAccount, lockAccount, lockAccounts } from './account-rules.ts';
export {
  type Account,
  accountRoute,
  type Float,
  findApplicationAccount,
  findFloat,
  floatsIfAny,
  floatsOf,
  openApplicationAccount,
  openFloatAccount,
  openWalletAccount,
} from './accounts.ts';
export { addUpDays } from './add-up.ts';
export { type Amounts, amountsOf } from './amounts.ts';
export { answerAgain } from './answer-again.ts';
export { applyDeferred } from './apply-deferred.ts';
export { selectLagS as measureLagS } from './books-store.ts';
export { businessDay, spentOn, startOfDay } from './business-day.ts';
export { type Charge, chargeOn } from './charge.ts';
export { pendingTransactions } from './count-pending.ts';
export { findAsPosted, findNamed, findPartnerTransaction, type TransactionWithEntry } from './find-transaction.ts';
export { historyOf, type Movement, type TransactionRow } from './history.ts';
export { expireHolds, holdDigest, placeHold, releaseHold } from './holds.ts';
export { findLien, type Lien, liensOf, liftLien, placeLien } from './liens.ts';
export { listLiens, listOpenHolds, type OpenHold } from './list-holds.ts';
export { listMovements } from './list-movements.ts';
export { listPending, type PendingFilter, parkingReasonOf } from './list-pending.ts';
export { isShownAs, listTransactions, type TransactionFilter } from './list-transactions.ts';
export { lowFloats } from './low-floats.ts';
export { measureLedger } from './measure-ledger.ts';
export { asMinor, type Currency, currencies, type Minor, negated, toMajor } from './money.ts';
export { type MoneyOfDay, moneyOfDay } from './money-of-day.ts';
export { lockOwnBalance, ownAccounts } from './own-accounts.ts';
export { type PartnerDay, partnerDay } from './partner-day.ts';
export {
  type AfterSettling,
  countPendingAbout,
  hasPending,
  moneyBehind,
  settleDue,
  settledAccountOf,
  settlePending,
  settlePendingInto,
  settlePendingTo,
} from './pending.ts';
export { countPosting, createPoster, createPostingCall, type Poster } from './poster.ts';
export {
  ALL_PARTNERS,
  type Leg,
  type Namer,
  namers,
  type PendingReason,
  type Posting,
  type Request,
  type TransactionType,
} from './posting.ts';
export { POSTING_PURPOSE } from './posting-mac.ts';
export { assertPosted, balancesOf, type Posted, type PostingResult } from './posting-result.ts';
export { type Refusal, refusalError, toRefusal } from './refusals.ts';
export {
  findReversalOf,
  findTransactionsNamed,
  legsAgainst,
  lockTransaction,
  type NamedTransaction,
  reversalPosting,
} from './reversal.ts';
export { room } from './room.ts';
export { movementsIn, pagesOf, periodOf } from './statement.ts';
export { accountKinds, ownKindOf, systemAccount } from './system-accounts.ts';
export { account, hold, lien, transaction } from './tables.ts';
export { findNamedByPartners, findWalletAccount, type HoldRow, type NamedEntry, partsOf } from './transaction-parts.ts';
export { type TrialBalance, trialBalance } from './trial-balance.ts';
export { capture, sourceStatusOf, voidTransaction } from './two-steps.ts';
