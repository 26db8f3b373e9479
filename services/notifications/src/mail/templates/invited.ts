import type { ContentFor } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

/** Builds the mail. It contains the sign-in URL and no secret, because the invitation is bound to the mail address. */
export function invitedMail({ application, invitedBy, expiresAt, url }: ContentFor<"INVITED">): MailContent {
  const [title, inviter] = [oneLine(application.title), oneLine(invitedBy)];
  const who = inviter === "" ? "You were invited" : `${inviter} invited you`;
  const what = `${who} to the application “${title}” in the Evaluation Management Service.`;
  const where = url === null ? "the address that you get from the person who invited you" : url;
  const how = `Sign in with the account of this email address before ${expiresAt}, at ${where}`;
  return layout(
    `Invitation to ${title}`,
    ["Hello,", what, how],
    [html`<p>Hello,</p>`, html`<p>${what}</p>`, html`<p>${how}</p>`],
  );
}
