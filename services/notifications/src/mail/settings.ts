import { count, publicUrlConfig, retentionDays, z } from "@ems/kit/config";
import { mailAddress, mailbox } from "./address.ts";

const mailboxText = (options?: { error: string }) =>
  z.string(options).transform((text, { addIssue }) => {
    const box = mailbox(text);
    if (box !== undefined) return box;
    addIssue("must be an email address, or a name and the address in <>");
    return z.NEVER;
  });
const addressText = (options?: { error: string }) =>
  z.string(options).refine((text) => mailAddress(text) !== undefined, "must be an email address");
const relayUrl = () =>
  z.string().refine(isRelayUrl, "must be smtp:// or smtps:// with user, password, host and port only");

export const mailSettings = {
  ...publicUrlConfig,
  SMTP_URL: relayUrl()
    .optional()
    .describe("Mail relay: `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465` (TLS). Unset: no mail."),
  SMTP_CA_FILE: z
    .string()
    .optional()
    .describe("Certificates (PEM) trusted for the relay, in addition to the system's."),
  MAIL_FROM: mailboxText().optional().describe("Sender of mails: an address, or a name and the address in <>."),
  FEEDBACK_TO: addressText().optional().describe("Recipient address of feedback."),
  FEEDBACK_PER_HOUR_MAX: count().default(100).describe("Maximum feedback per application and hour."),
  OPERATOR_TO: addressText()
    .optional()
    .describe("Recipient address of notices about a disabled webhook, a reached budget or a paused model connection."),
  RETENTION_DAYS_MAILS: retentionDays(1, "an operator must have time to find unsent mails")
    .default(30)
    .describe("Retention of mails after they were sent or failed, in days."),
  MAIL_DIR: z
    .string()
    .optional()
    .describe("Directory for mails if there is no relay, listed at `/mail` of the admin port."),
};

export type MailConfig = z.infer<z.ZodObject<typeof mailSettings>>;

const missing = { error: "is required when SMTP_URL is set" };
/** Settings if there is a relay, which requires its addresses. */
export const relaySettings = { ...mailSettings, MAIL_FROM: mailboxText(missing), FEEDBACK_TO: addressText(missing) };

function isRelayUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return false;
  const isBare = url.search === "" && url.hash === "" && /^\/?$/.test(url.pathname);
  return isBare && (url.username === "") === (url.password === "") && isEncoded(url.username + url.password);
}

/** Returns true if the percent-encoding of the text is valid. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
