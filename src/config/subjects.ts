/** What variables are about, and how those are named that are; those of no other subject are the process's. */
const subjects: readonly (readonly [subject: string, names: RegExp])[] = [
  ['Stores and secrets', /^(DATABASE|REDIS|DATA_DIR|OPERATOR_TOKEN$|MASTER_KEY|KMS)/],
  ['Traces', /^OTEL_/],
  ['Webhooks', /^WEBHOOK_/],
  ['Tokens and limits', /(_TTL_[SD]$|^RATE_LIMIT_|^DAILY_LIMIT_|^APPLICATION_REGISTRATION$)/],
  ['The institution', /^(INSTITUTION|EMV)_/],
  ['Fees and account numbers', /^(FEE|NUBAN)_/],
  ['Outside providers', /^(BVN|BANK|MESSAGING|EMAIL|PAYOUT|INBOUND)_/],
];
const THE_PROCESS = 'The process';

/** Every subject, in the order of the guide to the configuration. */
export const subjectTitles: readonly string[] = [THE_PROCESS, ...subjects.map(([subject]) => subject)];

/** What a variable is about. */
export const subjectOf = (name: string): string => subjects.find(([, names]) => names.test(name))?.[0] ?? THE_PROCESS;
