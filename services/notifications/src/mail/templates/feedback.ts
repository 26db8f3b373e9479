import { html } from "./html.ts";
import { type Letter, letter } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export interface FeedbackLetter {
  readonly feedbackId: string;
  readonly orgId: string;
  readonly applicationId: string;
  /** Whose key it came by, as far as known. */
  readonly userId: string | null;
  readonly userName: string | undefined;
  /** What the person says, whatever it is. */
  readonly feedback: string;
}

/** To the team: what somebody told it. Their words come last, so that none of them can pass for one of ours. */
export function feedbackLetter({
  feedbackId,
  orgId,
  applicationId,
  userId,
  userName,
  feedback,
}: FeedbackLetter): Letter {
  const from = userId === null ? "a key without an owner" : [userName, `user ${userId}`].filter(Boolean).join(", ");
  const facts = [
    ["From", oneLine(from)],
    ["Organisation", oneLine(orgId)],
    ["Application", applicationId],
    ["Feedback", feedbackId],
  ] as const;
  return letter(
    `Feedback ${feedbackId.slice(-12)}`,
    [
      "Somebody has sent feedback.",
      facts.map(([name, value]) => `${name}: ${value}`).join("\n"),
      "They say:",
      feedback,
    ],
    [
      html`<p>Somebody has sent feedback.</p>`,
      html`<p>${facts.map(([name, value]) => html`${name}: ${value}<br>`)}</p>`,
      html`<p>They say:</p>`,
      html`<pre>${feedback}</pre>`,
    ],
  );
}
