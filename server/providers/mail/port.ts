/** A rendered mail. */
export interface OutgoingMail {
  /** With angle brackets; the same for every attempt. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** RFC 8058 one-click unsubscribe URL, for mails that can be unsubscribed from. */
  unsubscribeUrl?: string;
}

/** Transport of mails. */
export interface MailTransport {
  /** Target for the log: 'smtp://host:port' or a folder. Never contains a password. */
  readonly target: string;
  /** 'file': mails become files on this machine, and reach nobody. */
  readonly kind: 'smtp' | 'file';
  /**
   * Resolves when the next server accepted the mail.
   *
   * @throws PermanentFailure when it refused the recipient or the mail for good. @throws Error otherwise; the caller retries.
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}
