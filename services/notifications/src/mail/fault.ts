import type { Outcome } from "./mail.ts";

type Unsent = Extract<Outcome, { isSent: false }>;

/** What the mail library says of a failure, as far as it is looked at. */
interface SmtpError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
}

/** What an error of the mail library means. Its message is nobody's business: it may name addresses. */
export function unsent(error: unknown): Unsent {
  if (!(error instanceof Error)) return { isSent: false, fault: "OTHER", isPermanent: false };
  const { code, originalCode, command, responseCode }: SmtpError & Error = error;
  const smtpCode = typeof responseCode === "number" ? responseCode : undefined;
  const because = (fault: Unsent["fault"], isPermanent = false): Unsent => {
    return { isSent: false, fault, isPermanent, ...(smtpCode !== undefined && { smtpCode }) };
  };
  switch (code) {
    case "ETIMEDOUT":
    case "EABORT":
      return because("TIMEOUT");
    case "ETLS":
      return because("TLS");
    case "ESOCKET":
      return because(/CERT|TLS|SSL|SIGNATURE/.test(String(originalCode)) ? "TLS" : "CONNECTION");
    case "EDNS":
    case "ECONNECTION":
    case "EPROTOCOL":
      return because("CONNECTION");
    case "EAUTH":
    case "ENOAUTH":
      return because("LOGIN");
    case "EENVELOPE":
    case "EMESSAGE":
      if (smtpCode === undefined || smtpCode < 500) return because("REFUSED_FOR_NOW");
      // Who is no good sender for one mail is none for any: that is ours to put right, and then the mail can go.
      return because("REFUSED", command !== "MAIL FROM");
    default:
      return because("OTHER");
  }
}
