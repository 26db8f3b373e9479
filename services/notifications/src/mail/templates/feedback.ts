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
  /** Text from a user, which is not trusted. */
  readonly feedback: string;
}

/** Builds the mail. The user's text comes last, so that no part of it can be mistaken for text of the product. */
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
