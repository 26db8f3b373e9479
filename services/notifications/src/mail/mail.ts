/** A mail to one person. */
export interface Mail {
  /** Validated address (address.ts). */
  readonly to: string;
  /** Subject on one line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Validated address for replies. */
  readonly replyTo?: string | undefined;
  /** Left part of the Message-ID, by which duplicates are recognized. Generated if not set. */
  readonly id?: string | undefined;
}

export type MailFault =
  | "NO_RELAY"
  /** There is no relay: the mail was archived as a file. */
  | "KEPT"
  | "CONNECTION"
  | "TLS"
  | "LOGIN"
  | "TIMEOUT"
  /** The relay rejected the mail with a temporary code. */
  | "REFUSED_FOR_NOW"
  | "REFUSED"
  | "OTHER";

/** Result of sending. After `CONNECTION` and `TIMEOUT`, the relay may have received the mail nevertheless. */
export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      readonly fault: MailFault;
      /** True if the relay would reject the same mail a second time. */
      readonly isPermanent: boolean;
      /** The relay's reply code, if there is one. */
      readonly smtpCode?: number | undefined;
    };

export interface MailTransport {
  /** Sends a mail once; "sent" means that the relay confirmed it. Never rejects. */
  send(mail: Mail): Promise<SendResult>;
  /** Finishes mails in progress and accepts no more. */
  close(): void;
}
