/** What a list says that has nothing in it: whether that is good, and how something comes to stand there. */
const whenEmpty: Readonly<Record<string, string>> = {
  findTransactions: 'Nothing was moved yet.',
  listApplications: 'No application has registered yet.',
  listApprovals: 'Nobody has asked for anything that another operator decides.',
  listBankImports: 'No file of a bank yet. Import the first one.',
  listClaims: 'No application has asked for consent yet.',
  listCustomers: 'Nobody has a PayTag yet.',
  listDeliveries: 'Nothing was sent yet: no event has happened that somebody listens for.',
  listDisputes: 'Nothing is disputed. A dispute is opened on the page of its transaction.',
  listInbox: 'No provider has told us anything yet.',
  listLinks: 'No tags are linked yet.',
  listPartners: 'No partner yet. Create the first one.',
  listPayouts: 'No payout was made yet.',
  listRailComparisons: 'No day was compared yet.',
  listReceivers: 'Nobody receives events yet: each partner and application does as soon as there is one.',
  listReconciliationItems: 'Nothing to reconcile. Items come from the files of a bank.',
  listRemittances: 'Nothing was paid out of our own accounts yet.',
  listSeals: 'Nothing is sealed yet. The worker does so every day.',
  listSessions: 'Nobody is logged in.',
  listSplits: 'No split yet. One is created on the page of its terminal.',
  listSuspense: 'No money waits: all that came in was credited.',
  listTags: 'No tag yet.',
  listTerminals: 'No terminal yet. Create the first one.',
  listThrottles: 'Nobody is held back by a limit.',
  listWalletHistory: 'Nothing has moved it yet.',
  listWalletHolds: 'Nothing of it is set aside.',
  listWalletLiens: 'No lien was ever created on it.',
  listWallets: 'No wallet yet.',
};

/** The same of any list, and of one that was asked for some of it. */
export const whyEmpty = (operationId: string, isFiltered: boolean): string =>
  isFiltered ? 'Nothing here that matches. Ask for less, or show all.' : (whenEmpty[operationId] ?? 'Nothing here.');
