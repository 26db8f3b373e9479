/** Mail to one person. */
export interface Mail {
  /** Validated address (address.ts). */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Validated address. */
  readonly replyTo?: string | undefined;
  /** Left part of the Message-ID, which identifies duplicates. Generated if absent. */
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
  /** Rejected with a temporary code. */
  | "REFUSED_FOR_NOW"
  | "REFUSED"
  | "OTHER";

/** After `CONNECTION` and `TIMEOUT` the relay may still have received the mail. */
export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      readonly fault: MailFault;
      /** True if the same mail would be rejected again. */
      readonly isPermanent: boolean;
      /** Reply code of the relay, if any. */
      readonly smtpCode?: number | undefined;
    };

export interface MailTransport {
  /** Sends once; "sent" means that the relay confirmed it. Never rejects. */
  send(mail: Mail): Promise<SendResult>;
  /** Finishes mails in progress and accepts no others. */
  close(): void;
}
