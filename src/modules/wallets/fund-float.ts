import { recordChange } from '#modules/audit';
import {
  balancesOf,
  type Currency,
  findFloat,
  type Minor,
  negated,
  OPERATOR,
  post,
  systemAccount,
} from '#modules/ledger';
import { DomainError } from '../../lib/domain-error.ts';
import type { Resources } from '../../resources.ts';

export interface FloatFunding {
  actor: string;
  partnerId: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the operator's references, for ever. */
  reference: string;
}

/**
 * Adds to a partner's float what the operator has received for it.
 *
 * @returns the float's new balance, minor units; on a repeated reference, the balance it gave then
 * @throws DomainError PARTNER_NOT_FOUND, REFERENCE_REUSED
 */
export async function fundFloat({ db }: Pick<Resources, 'db'>, funding: FloatFunding): Promise<Minor> {
  const { actor, partnerId, amount, currency, reference } = funding;
  const float = await findFloat(db, partnerId, currency);
  if (float === undefined) throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  const clearing = systemAccount('CLEARING', currency);

  return db.transaction(async (tx) => {
    const posted = await post(tx, {
      owner: OPERATOR,
      reference,
      partner: partnerId,
      type: 'FLOAT_FUNDING',
      amount,
      currency,
      source: clearing,
      destination: float.id,
      legs: [
        { account: clearing, amount: negated(amount) },
        { account: float.id, amount },
      ],
    });
    const { opening, closing } = balancesOf(posted, float.id);
    if (!posted.replayed) {
      await recordChange(tx, {
        actor,
        action: 'float.fund',
        target: partnerId,
        before: { currency, balance: String(opening) },
        after: { currency, balance: String(closing), reference },
      });
    }
    return closing;
  });
}
