/** A mail to one person. */
export interface Mail {
  /** A checked address (address.ts). */
  readonly to: string;
  /** One line (templates/subject.ts). */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A checked address. */
  readonly replyTo?: string | undefined;
  /** Letters, digits and hyphens: by it two sendings of one mail are known as one. Made when absent. */
  readonly id?: string | undefined;
}

/**
 * Why a mail did not go out: no relay is configured; none is, and the mail is kept as a file; the relay could not be reached or broke off; its certificate or TLS
 * version is not good enough; it did not let us in; it took too long; it does not want the mail now; it does not want it
 * at all; something else.
 */
export type MailFault =
  | "NO_RELAY"
  | "KEPT"
  | "CONNECTION"
  | "TLS"
  | "LOGIN"
  | "TIMEOUT"
  | "REFUSED_FOR_NOW"
  | "REFUSED"
  | "OTHER";

/** What came of sending a mail. After `CONNECTION` and `TIMEOUT` the relay may have it all the same. */
export type Outcome =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      readonly fault: MailFault;
      /** The same mail would be refused again. */
      readonly isPermanent: boolean;
      /** The relay's reply code, if there was one. */
      readonly smtpCode?: number | undefined;
    };

/** A way out for mails. */
export interface MailTransport {
  /** Sends once; it is sent when the relay says so. Never rejects. */
  send(mail: Mail): Promise<Outcome>;
  /** Mails under way may end; no other is taken. */
  close(): void;
}
