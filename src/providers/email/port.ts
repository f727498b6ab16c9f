/** One e-mail to one person. Control characters in its subject and in file names become spaces. */
export interface Email {
  /** An address without a name, e.g. ada@example.com. */
  to: string;
  subject: string;
  text: string;
  /** The same message in HTML. The caller has escaped what it quotes. */
  html?: string | undefined;
  attachments?: readonly Attachment[] | undefined;
}

export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** Sends e-mail. */
export interface EmailProvider {
  /**
   * Resolves when a mail server has accepted the message. Sends once, without a retry.
   *
   * @throws EmailProviderDown when it was not accepted in time: try again later
   * @throws EmailRefused when it will never be accepted
   */
  send(email: Email): Promise<void>;
}

/** The mail server did not accept the message, or its answer did not come. */
export class EmailProviderDown extends Error {
  override readonly name = 'EmailProviderDown';
  /** True when the answer to the whole message did not come: it may be delivered all the same. */
  readonly mayHaveSent: boolean;

  constructor(message: string, { mayHaveSent = false }: { mayHaveSent?: boolean } = {}) {
    super(message);
    this.mayHaveSent = mayHaveSent;
  }
}

/** There is no such mailbox, or it refuses this message: sending it again is useless. */
export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
}
