/** A mail to one person. */
export interface Mail {
  /** A validated address (address.ts). */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A validated address. */
  readonly replyTo?: string | undefined;
  /** The left part of the Message-ID, by which duplicates are recognised. Generated when absent. */
  readonly id?: string | undefined;
}

export type MailFault =
  | "NO_RELAY"
  /** No relay: archived as a file. */
  | "KEPT"
  | "CONNECTION"
  | "TLS"
  | "LOGIN"
  | "TIMEOUT"
  /** Refused with a temporary code. */
  | "REFUSED_FOR_NOW"
  | "REFUSED"
  | "OTHER";

/** After `CONNECTION` and `TIMEOUT` the relay may have the mail all the same. */
export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      readonly fault: MailFault;
      /** The same mail would be refused again. */
      readonly isPermanent: boolean;
      /** The relay's reply code, if there was one. */
      readonly smtpCode?: number | undefined;
    };

export interface MailTransport {
  /** Sends once; sent means that the relay confirmed it. Never rejects. */
  send(mail: Mail): Promise<SendResult>;
  /** Mails in progress are finished; no other is accepted. */
  close(): void;
}
