/** A finished mail. */
export interface OutgoingMail {
  /** With angle brackets; the same at every try. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** RFC 8058 one-click unsubscribe address, for notices that people may stop. */
  unsubscribeUrl?: string;
}

/** A way out for mails. */
export interface MailTransport {
  /** Where mails go, for the log: 'smtp://host:port' or a folder. Never with a password. */
  readonly target: string;
  /** Resolves when the next station took the mail over. @throws when it did not; the caller tries again later. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}
