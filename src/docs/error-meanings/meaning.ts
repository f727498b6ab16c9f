/** Where a code can be met. `Every API` stands for all of them, `Pages` for what a browser opens, `Hooks` for what providers send. */
export type Surface = 'Every API' | 'Partner' | 'SSO' | 'Switch' | 'Identity' | 'Operator' | 'Pages' | 'Hooks';

/** Whether to send the same request again; the errors guide says what each word means. */
export type Repeat = 'yes' | 'once changed' | 'new reference' | 'counts' | 'no';

/** What a caller who meets an error code wants to know. */
export interface Meaning {
  readonly where: readonly Surface[];
  readonly happened: string;
  readonly whatToDo: string;
  readonly repeat: Repeat;
}
