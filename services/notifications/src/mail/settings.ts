import { count, publicUrlConfig, retentionDays, z } from "@ems/kit/config";
import { mailAddress, mailbox } from "./address.ts";

const mailboxText = (options?: { error: string }) =>
  z.string(options).transform((text, { addIssue }) => {
    const box = mailbox(text);
    if (box !== undefined) return box;
    addIssue("must be an e-mail address, or a name and the address in <>");
    return z.NEVER;
  });
const addressText = (options?: { error: string }) =>
  z.string(options).refine((text) => mailAddress(text) !== undefined, "must be an e-mail address");
const relayUrl = () =>
  z.string().refine(isRelayUrl, "must be smtp:// or smtps:// with user, password, host and port, and nothing behind");

export const mailSettings = {
  ...publicUrlConfig,
  SMTP_URL: relayUrl()
    .optional()
    .describe("Mail relay: `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465` (TLS). Unset: no mail."),
  SMTP_CA_FILE: z.string().optional().describe("Certificates (PEM) trusted for the relay beside the system's."),
  MAIL_FROM: mailboxText().optional().describe("Sender of mails: an address, or a name and the address in <>."),
  FEEDBACK_TO: addressText().optional().describe("Address that receives feedback."),
  FEEDBACK_PER_HOUR_MAX: count().default(100).describe("Feedback that one application may send in an hour."),
  OPERATOR_TO: addressText()
    .optional()
    .describe(
      "Address that is notified when a webhook is disabled, a budget is reached or a model connection is paused.",
    ),
  RETENTION_DAYS_MAILS: retentionDays(1, "an operator looks for mails that were not sent")
    .default(30)
    .describe("How many days mails are kept after they were sent, or given up."),
  MAIL_DIR: z
    .string()
    .optional()
    .describe("Without a relay: directory that mails are written to, shown at `/mail` of the admin port."),
};

export type MailConfig = z.infer<z.ZodObject<typeof mailSettings>>;

const missing = { error: "is required when SMTP_URL is set" };
/** With a relay its addresses are required. */
export const relaySettings = { ...mailSettings, MAIL_FROM: mailboxText(missing), FEEDBACK_TO: addressText(missing) };

function isRelayUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return false;
  const isBare = url.search === "" && url.hash === "" && /^\/?$/.test(url.pathname);
  return isBare && (url.username === "") === (url.password === "") && isEncoded(url.username + url.password);
}

/** Whether the percent-encoding is valid. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
