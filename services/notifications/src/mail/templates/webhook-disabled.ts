import type { ContentFor } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";

export function webhookDisabledMail(data: ContentFor<"WEBHOOK_DISABLED">): MailContent {
  const { webhookId, origin, reason, disabledAt } = data;
  const why = {
    GONE: "it responded with 410 Gone",
    FAILING: "every attempt of several days failed",
  }[reason];
  const what = `The webhook at ${origin} was disabled on ${disabledAt}: ${why}.`;
  const next = "No more events are sent to it. Save the webhook to enable it; failed deliveries can then be recovered.";
  const id = `The webhook's ID is ${webhookId}.`;
  return layout(
    `Webhook disabled: ${origin}`,
    [what, next, id],
    [html`<p>${what}</p>`, html`<p>${next}</p>`, html`<p class="quiet">${id}</p>`],
  );
}
