const BUILT =
  'a list whose statement is built by what is asked for: over the connections of long reads, in its partner’s turn';
const REPLAY = 'built by its filter: one at a time of each partner, under a lock';
const NAMED = 'built by how a transaction is named, as the operator’s search is: in the sandbox alone';
const TIME = 'what the worker does by the hundred is done for one application: in the sandbox alone';

/** Operations that send statements without a name, and why. Those of the operator may: a person asks for them. */
export const withoutName: Readonly<Record<string, string>> = {
  'GET /v2/partner/wallet': BUILT,
  'GET /v2/partner/dispute': BUILT,
  'GET /v2/sso/beneficiary': BUILT,
  'POST /v2/partner/webhook/replay': REPLAY,
  'POST /v2/sandbox/transaction/{reference}/fail': NAMED,
  'POST /v2/sandbox/application/time': TIME,
};
