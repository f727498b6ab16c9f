/** What a person says of themselves, to be compared with the register. */
export interface BvnClaim {
  /** Eleven digits. */
  bvn: string;
  firstName: string;
  lastName: string;
  /** Whether the register holds it is answered; it is no mismatch when it does not. */
  otherName?: string | undefined;
  /** YYYY-MM-DD; not compared when absent. */
  dateOfBirth?: string | undefined;
  /** E.164; not compared when absent. One that the register does not hold for the BVN is a mismatch. */
  phone?: string | undefined;
  /** Whether the register holds it is answered; it is no mismatch when it does not. */
  email?: string | undefined;
}

/** What the register says of a claim. */
export type BvnVerdict =
  | {
      outcome: 'verified';
      /** The phone of the claim; without one in the claim the register's own, where it has one that takes messages. E.164. */
      phone: string | undefined;
      /** The e-mail address of the claim is one that the register holds for the BVN. */
      holdsEmail: boolean;
      /** The other name of the claim is in the names that the register holds for the BVN, in addition to first and last name. */
      holdsOtherName: boolean;
    }
  | { outcome: 'not-found' }
  | { outcome: 'mismatch' };

/** The bank verification register. */
export interface BvnProvider {
  /**
   * It compares phones. The owner of the phone that receives the code owns the PayTag, so live accepts no other provider: BVN,
   * names and birth date are no secret.
   */
  readonly comparesPhones: boolean;
  /** Compares a person's details with the register. @throws BvnProviderDown when there was no usable answer in time */
  verify(claim: BvnClaim): Promise<BvnVerdict>;
}

/** The register did not answer. Nothing is known, and it is safe to ask again. */
export class BvnProviderDown extends Error {
  override readonly name = 'BvnProviderDown';
}
