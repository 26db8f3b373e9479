import { counter } from "@ems/kit/telemetry/metrics";
import type { MailTransport } from "./mail.ts";

const countMail = counter({
  name: "ems_email_total",
  help: "Mails, by result: sent, or the error in lower case.",
  labels: ["outcome"],
});

/** Wraps `transport` to count the mails that it sends. */
export function counted<T extends MailTransport>(transport: T): T {
  return {
    ...transport,
    async send(mail) {
      const outcome = await transport.send(mail);
      countMail({ outcome: outcome.isSent ? "sent" : outcome.fault.toLowerCase() });
      return outcome;
    },
  };
}
