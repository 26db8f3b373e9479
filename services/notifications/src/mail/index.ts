export { mailAddress } from "./address.ts";
export { isMailed, mailHandler } from "./event-handler.ts";
export type { MailTransport, SendResult } from "./mail.ts";
export { startMailer } from "./mailer.ts";
export { openMail } from "./open-mail.ts";
export { notifyOperator } from "./operator-mail.ts";
export { mailPage } from "./pages.ts";
export { feedbackMail } from "./templates/feedback.ts";
export { relayConnectionsMax, relayTimeoutMs } from "./transport.ts";
