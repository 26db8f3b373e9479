import type { AdminPage } from "@ems/kit/admin";
import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { mailArchive } from "./archive.ts";
import type { MailTransport } from "./mail.ts";
import { mailPage } from "./pages.ts";
import type { MailConfig } from "./settings.ts";
import { counted } from "./telemetry.ts";
import { relayTransport } from "./transport.ts";

/** Sender and recipient in archived mails. */
const placeholder = { name: "Evaluation Management Service", address: "ems@mail.invalid" };

export interface OpenedMail {
  readonly transport: MailTransport;
  /** Recipient of mails with feedback. */
  readonly feedbackTo: string;
  readonly pages: readonly AdminPage[];
}

/** Opens the configured mail transport: the relay, else the archive, else none. */
export async function openMail(
  {
    SMTP_URL,
    SMTP_CA_FILE,
    MAIL_FROM: from = placeholder,
    FEEDBACK_TO: feedbackTo = placeholder.address,
    MAIL_DIR,
  }: Pick<MailConfig, "SMTP_URL" | "SMTP_CA_FILE" | "MAIL_FROM" | "FEEDBACK_TO" | "MAIL_DIR">,
  { clock, newId, log }: { clock: Clock; newId: NewId; log: Logger },
): Promise<OpenedMail> {
  if (SMTP_URL !== undefined) {
    const transport = counted(await relayTransport({ url: SMTP_URL, caFile: SMTP_CA_FILE, from }));
    return { transport, feedbackTo, pages: [] };
  }
  if (MAIL_DIR !== undefined) {
    log.info("no mail relay (SMTP_URL): mails are not sent, but stored as files and listed at /mail of the admin port");
    const transport = counted(await mailArchive({ dir: MAIL_DIR, from, clock, newId, log }));
    return { transport, feedbackTo, pages: [mailPage(transport)] };
  }
  log.warn("no mail relay (SMTP_URL): mails are not sent, and feedback is only stored");
  return { transport: counted(noTransport), feedbackTo, pages: [] };
}

const noTransport: MailTransport = {
  send: async () => ({ isSent: false, fault: "NO_RELAY", isPermanent: true }),
  close: () => undefined,
};
