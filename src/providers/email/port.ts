/** One e-mail, to one person. Line breaks in its subject or in the name of an attachment become spaces. */
export interface Email {
  /** An address alone, as ada@example.com. */
  to: string;
  subject: string;
  text: string;
  /** The same again for who reads HTML. Whoever writes it escapes what it quotes. */
  html?: string | undefined;
  attachments?: readonly Attachment[] | undefined;
}

export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** Brings e-mail to people. */
export interface EmailProvider {
  /**
   * Resolves once a mail server has taken the message over.
   *
   * @throws EmailProviderDown when it did not take it in time: try again later
   * @throws EmailRefused when it never will
   */
  send(email: Email): Promise<void>;
}

/** The mail server did not take the message, or was not heard to. */
export class EmailProviderDown extends Error {
  override readonly name = 'EmailProviderDown';
  /** Nothing was heard after all of it was said: it may reach its address all the same. */
  readonly mayHaveSent: boolean;

  constructor(message: string, { mayHaveSent = false }: { mayHaveSent?: boolean } = {}) {
    super(message);
    this.mayHaveSent = mayHaveSent;
  }
}

/** There is no such mailbox, or it does not take this message: it is of no use to send it again. */
export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
}
