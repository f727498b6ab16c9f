import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import type { Task } from './admission.ts';

/**
 * Security events, with the level that each is logged at. The guide to security has an alert for each of them.
 */
export const securityEvents = {
  /** A wrong password or an unknown PayTag. */
  login_failed: 'warn',
  login_throttled: 'warn',
  /** An authorization code that is unknown, expired, used or another partner's. */
  auth_code_refused: 'warn',
  /** A code that had become a session came again, later: that session was ended. */
  auth_code_replayed: 'warn',
  otp_wrong: 'warn',
  otp_throttled: 'warn',
  /** A partner's or an application's long-lived credentials, which were missing or wrong. */
  credentials_refused: 'warn',
  /** Right credentials, from where they were never used before. */
  credential_used_from_new_address: 'warn',
  /** A customer's or an application's token that is missing, forged, expired or revoked. */
  token_refused: 'warn',
  operator_token_refused: 'warn',
  /** An authenticated caller whose role does not allow the call. */
  role_refused: 'warn',
  /** A partner or an application that is suspended calls on. */
  suspended_refused: 'warn',
  /** A form that does not come from our own page. */
  form_refused: 'warn',
  /** A message to our hooks that its provider did not sign. */
  hook_refused: 'warn',
  rate_limited: 'warn',
  /** A name that imitates us or an institution. */
  name_refused: 'warn',
  /** By a code, in place of a forgotten one. */
  password_changed: 'info',
  customer_frozen: 'info',
  bvn_handed_back: 'info',
  /** An operator was shown what is masked of a customer. */
  customer_revealed: 'info',
  customer_exported: 'info',
  partner_suspended: 'info',
  application_suspended: 'info',
  tag_suspended: 'info',
  operator_created: 'info',
  /** By whomever, their own token among them. */
  operator_token_rotated: 'info',
  operator_role_raised: 'info',
  operator_enabled: 'info',
  /** Credentials of a partner or an application: created by an operator, or with the owner's own credentials. */
  api_key_added: 'info',
  client_secret_rotated: 'info',
  webhook_secret_rotated: 'info',
  /** Where a partner's customers or events are sent, by an operator. */
  partner_redirected: 'info',
  /** Of a partner: where its new secrets go. */
  contact_changed: 'info',
  contact_proven: 'info',
  /** The owner of new credentials has opened the link that shows them. */
  secret_taken: 'info',
  /** A mail to the owner of a partner or an application failed: a new secret, or a notification, did not reach them. */
  owner_not_told: 'error',
  /** An operator let money be spent that was kept back: a lien, a freeze, a suspension. */
  money_freed: 'info',
  /** By an operator: of a wallet, or of what a limit refused. */
  limit_lifted: 'info',
  /** At the console. */
  operator_signed_in: 'info',
  signing_key_revoked: 'info',
  /** What is stored is not what we stored: nothing was done with it. */
  stored_record_altered: 'error',
} as const;

export type SecurityEvent = keyof typeof securityEvents;

/** The subjects of an event, by our own ids. Never a client id, a name, a phone or an e-mail address. */
export interface Concerned {
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  customerId?: string | undefined;
  operatorId?: string | undefined;
  tagId?: string | undefined;
  /** An API key's or a signing key's id. */
  keyId?: string | undefined;
}

/** The caller of a request, available to all code that runs for it. */
export interface Caller {
  readonly requestId: string;
  readonly address: string;
  /** Who the credentials say it is, e.g. `partner:` and its id; undefined before authentication. */
  readonly principal: string | undefined;
  /** What was found out about whom the request is about, for the events it may end with. */
  concerned: Concerned;
  /** The place of the request among those that are answered at once; undefined while it has none. */
  task?: Task | undefined;
}

/** The current request; empty in a worker, a command and a test of a room. */
export const callers = new AsyncLocalStorage<Caller>();

/** Notes the subjects of the request, so that a refusal is logged with them. */
export function concerning(who: Concerned): void {
  const caller = callers.getStore();
  if (caller !== undefined) caller.concerned = { ...caller.concerned, ...who };
}

/** Logs and counts security events. */
export interface SecurityLog {
  /**
   * Logs an event in one shape: `event`, the caller's address, principal and requestId, and the ids of whom it is about.
   * A change is recorded after its commit.
   *
   * @param details.errorCode why something was refused; `record`: which one is altered
   * @param caller the request, where what runs has lost it
   */
  record(event: SecurityEvent, details?: Concerned & { errorCode?: string; record?: string }, caller?: Caller): void;
}

/** @param counted is called with each event, for the metrics */
export function createSecurityLog({
  log,
  counted,
}: {
  log: Logger;
  counted: (event: SecurityEvent) => void;
}): SecurityLog {
  return {
    record(event, details = {}, caller = callers.getStore()) {
      counted(event);
      const { requestId, address, principal, concerned } = caller ?? {};
      log[securityEvents[event]]({ event, requestId, address, principal, ...concerned, ...details }, 'security event');
    },
  };
}
