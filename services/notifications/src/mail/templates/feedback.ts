import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export interface FeedbackData {
  readonly feedbackId: string;
  readonly orgId: string;
  readonly applicationId: string;
  /** Owner of the API key. */
  readonly userId: string | null;
  readonly userName: string | undefined;
  /** Untrusted text. */
  readonly feedback: string;
}

/** The user's text comes last, so that none of it can be mistaken for ours. */
export function feedbackMail({
  feedbackId,
  orgId,
  applicationId,
  userId,
  userName,
  feedback,
}: FeedbackData): MailContent {
  const from = userId === null ? "a key without an owner" : [userName, `user ${userId}`].filter(Boolean).join(", ");
  const facts = [
    ["From", oneLine(from)],
    ["Organization", oneLine(orgId)],
    ["Application", applicationId],
    ["Feedback", feedbackId],
  ] as const;
  return layout(
    `Feedback ${feedbackId.slice(-12)}`,
    ["A user sent feedback.", facts.map(([name, value]) => `${name}: ${value}`).join("\n"), "Text:", feedback],
    [
      html`<p>A user sent feedback.</p>`,
      html`<p>${facts.map(([name, value]) => html`${name}: ${value}<br>`)}</p>`,
      html`<p>Text:</p>`,
      html`<pre>${feedback}</pre>`,
    ],
  );
}
