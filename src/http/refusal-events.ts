import type { FastifyRequest } from 'fastify';
import type { DomainError, ErrorCode } from '#lib/domain-error.ts';
import type { SecurityEvent } from '#lib/security-events.ts';

/** The refusals that are security events whatever refused. Others say it themselves, as `DomainError.event`. */
const events: Partial<Record<ErrorCode, SecurityEvent>> = {
  INVALID_CUSTOMER_CREDENTIALS: 'login_failed',
  INVALID_AUTH_CODE: 'auth_code_refused',
  OTP_INVALID: 'otp_wrong',
  OTP_ATTEMPTS_EXCEEDED: 'otp_throttled',
  OTP_SENDS_EXCEEDED: 'otp_throttled',
  CONSENT_ATTEMPTS_EXCEEDED: 'otp_throttled',
  INVALID_CREDENTIALS: 'credentials_refused',
  KEY_ENVIRONMENT_MISMATCH: 'credentials_refused',
  INVALID_CLIENT: 'credentials_refused',
  INVALID_CUSTOMER_TOKEN: 'token_refused',
  INVALID_APPLICATION_TOKEN: 'token_refused',
  NOT_PERMITTED: 'role_refused',
  ROLE_REFUSED: 'role_refused',
  APPROVAL_OWN: 'role_refused',
  PARTNER_SUSPENDED: 'suspended_refused',
  APPLICATION_NOT_ACTIVE: 'suspended_refused',
  FORM_REFUSED: 'form_refused',
  INVALID_SIGNATURE: 'hook_refused',
  APPLICATION_NAME_RESERVED: 'name_refused',
  NAME_RESERVED: 'name_refused',
  TOO_MANY_REQUESTS: 'rate_limited',
};

/** The security event that a refusal is, if it is one. */
function eventOf({ code, event }: DomainError, { scheme }: FastifyRequest): SecurityEvent | undefined {
  // An operator's bearer token is the only one that is refused as credentials are.
  if ((code === 'INVALID_CREDENTIALS' || code === 'KEY_ENVIRONMENT_MISMATCH') && scheme === 'Bearer')
    return 'operator_token_refused';
  return event ?? events[code];
}

/** Logs a refusal that is a security event as one. */
export function recordRefusal(error: DomainError, request: FastifyRequest): void {
  const event = eventOf(error, request);
  if (event !== undefined) request.server.securityLog.record(event, { errorCode: error.code }, request.caller);
}
