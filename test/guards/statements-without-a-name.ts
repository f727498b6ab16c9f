const CHECK = 'a check of all the books, once a night or when somebody asks: planned for what the tables hold then';

/** Operations that send statements without a name, and why. */
export const withoutName: Readonly<Record<string, string>> = {
  'GET /operator/v1/ledger/check': CHECK,
};
