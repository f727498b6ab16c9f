import type { Logger } from 'pino';

/** What is wrong with a database whose connections work: requests fail, whichever connection they take. */
const troubles = {
  SILENT: 'it does not answer',
  UNREPLICATED: 'its commits wait for a standby that does not answer',
  READ_ONLY: 'it is read-only: a standby, or made so',
  DISK_FULL: 'its disk is full',
  OUT_OF_MEMORY: 'it is out of memory',
  TOO_MANY_CONNECTIONS: 'it has no connection left',
  FAULTY: 'its files cannot be read or written',
} as const;

export type DatabaseTrouble = keyof typeof troubles;

const byCode: Readonly<Record<string, DatabaseTrouble>> = {
  '25006': 'READ_ONLY',
  '53100': 'DISK_FULL',
  '53200': 'OUT_OF_MEMORY',
  '53300': 'TOO_MANY_CONNECTIONS',
  '58000': 'FAULTY',
  '58030': 'FAULTY',
};

/** What an SQLSTATE says of the whole database; undefined for what concerns one statement or connection. */
export const troubleOf = (code: string | undefined): DatabaseTrouble | undefined => byCode[code ?? ''];

/** Logs what begins, and that it is over: two lines for an outage, however many requests it fails. */
export const logTrouble = (log: Logger) => (trouble: DatabaseTrouble | undefined) => {
  if (trouble === undefined) log.info('the database serves requests again');
  else log.error({ trouble }, `the database serves no requests: ${troubles[trouble]}`);
};
