import type { ContentOf } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

/** Says where to sign in. No secret is in it: the address of the mail is what the invitation is for. */
export function invitedMail({ application, invitedBy, expiresAt, url }: ContentOf<"INVITED">): MailContent {
  const [title, inviter] = [oneLine(application.title), oneLine(invitedBy)];
  const who = inviter === "" ? "You were invited" : `${inviter} invited you`;
  const what = `${who} to the application “${title}” in the Evaluation Management Service.`;
  const where = url === null ? "the address that whoever invited you knows" : url;
  const how = `Sign in with the account of this e-mail address, before ${expiresAt}, at ${where}`;
  return layout(
    `An invitation to ${title}`,
    ["Hello,", what, how],
    [html`<p>Hello,</p>`, html`<p>${what}</p>`, html`<p>${how}</p>`],
  );
}
