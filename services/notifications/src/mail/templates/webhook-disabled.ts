import type { ContentOf } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";

export function webhookDisabledMail(data: ContentOf<"WEBHOOK_DISABLED">): MailContent {
  const { webhookId, origin, reason, disabledAt } = data;
  const why = {
    GONE: "it answered that it is gone (410)",
    FAILING: "every attempt of the last days has failed",
  }[reason];
  const what = `The webhook at ${origin} was disabled on ${disabledAt}: ${why}.`;
  const next =
    "Nothing is sent to it any more. Saving the webhook again enables it; failed deliveries can then be recovered.";
  const id = `The webhook's id is ${webhookId}.`;
  return layout(
    `Webhook disabled: ${origin}`,
    [what, next, id],
    [html`<p>${what}</p>`, html`<p>${next}</p>`, html`<p class="quiet">${id}</p>`],
  );
}
