/** How a provider has answered of late. */
export interface ProviderHealth {
  /** False: its last answer did not come, or said that it is broken. */
  isUp: boolean;
  /** For so long it has been that way. */
  forMs: number;
}

export const providerPurposes = ['BANKS', 'BVNS', 'INBOUND', 'PAYOUTS', 'PHONES', 'RAILS'] as const;

/** A provider that is asked over HTTP, as this process has seen it. */
export interface SeenProvider {
  purpose: (typeof providerPurposes)[number];
  /** Its name, e.g. `paystack`. */
  provider: string;
  /** Undefined: it was not asked yet. */
  health: ProviderHealth | undefined;
}
