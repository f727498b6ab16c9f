/** Our own name: reserved, and so is every reserved word before or after it. */
export const brand = 'paytag';
const ours = 'admin administrator sysadmin superuser root system daemon operator console moderator official staff team';
const help = 'support help helpdesk service customercare customerservice contact info feedback employee owner verified';
const trust = 'security fraud abuse compliance legal privacy terms trust safety';

const technical = `api auth oauth sso login logout signin signup register password otp token webhook webhooks sandbox
  staging status docs developer developers partner partners switch terminal null undefined none www`;

const money = `bank banking wallet wallets pay payment payments payout billing invoice refund refunds transfer deposit
  withdraw account accounts card cards bvn nuban naira`;

const state = 'cbn centralbank nibss ndic efcc government police';
const mail = 'mail email postmaster hostmaster webmaster mailer-daemon noreply no-reply anonymous nobody everyone';

/** Roles at the operator of the server or at the state: a name of only a role seems to be theirs. */
export const roles: readonly string[] =
  `admin, administrator, compliance, customer care, customer service, dispute, disputes,
  fraud, government, govt, help center, help centre, help desk, moderator, official, operator, police, refund, refunds,
  security, staff, support, system, verification, verified`.split(/,\s+/);

/** Words next to a role. */
export const roleQualifiers: readonly string[] =
  `account accounts alert alerts and care center centre customer department desk
  help line nigeria ng of payment payments service services team the unit update`.split(/\s+/);

/** Reserved handles: their owner could pass for us, a bank or the state. */
export const reservedHandles: readonly string[] = [brand, ours, help, trust, technical, money, state, mail]
  .join(' ')
  .split(/\s+/);
