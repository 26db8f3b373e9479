import type { SendResult } from "./mail.ts";

type Unsent = Extract<SendResult, { isSent: false }>;

/** Properties of nodemailer's errors that are used here. */
interface SmtpError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
}

/** Converts an error from nodemailer. Drops its message, which may contain addresses. */
export function unsent(error: unknown): Unsent {
  if (!(error instanceof Error)) return { isSent: false, fault: "OTHER", isPermanent: false };
  const { code, originalCode, command, responseCode }: SmtpError & Error = error;
  const smtpCode = typeof responseCode === "number" ? responseCode : undefined;
  const result = (fault: Unsent["fault"], isPermanent = false): Unsent => {
    return { isSent: false, fault, isPermanent, ...(smtpCode !== undefined && { smtpCode }) };
  };
  switch (code) {
    case "ETIMEDOUT":
    case "EABORT":
      return result("TIMEOUT");
    case "ETLS":
      return result("TLS");
    case "ESOCKET":
      return result(/CERT|TLS|SSL|SIGNATURE/.test(String(originalCode)) ? "TLS" : "CONNECTION");
    case "EDNS":
    case "ECONNECTION":
    case "EPROTOCOL":
      return result("CONNECTION");
    case "EAUTH":
    case "ENOAUTH":
      return result("LOGIN");
    case "EENVELOPE":
    case "EMESSAGE":
      if (smtpCode === undefined || smtpCode < 500) return result("REFUSED_FOR_NOW");
      // A rejected sender address is a configuration error, so the mail is retried.
      return result("REFUSED", command !== "MAIL FROM");
    default:
      return result("OTHER");
  }
}
