import { html } from "./html.ts";
import { type Letter, letter } from "./layout.ts";

export interface WebhookDisabledLetter {
  readonly webhookId: string;
  /** Scheme, host and port of its URL. */
  readonly origin: string;
  /** It said that it is gone for good, or every attempt of days has failed. */
  readonly reason: "GONE" | "FAILING";
  /** ISO 8601. */
  readonly disabledAt: string;
}

/** To the operator: deliveries to a webhook have ended. */
export function webhookDisabledLetter({ webhookId, origin, reason, disabledAt }: WebhookDisabledLetter): Letter {
  const why = {
    GONE: "it answered that it is gone (410)",
    FAILING: "every attempt of the last days has failed",
  }[reason];
  const what = `The webhook at ${origin} was disabled on ${disabledAt}: ${why}.`;
  const next =
    "Nothing is sent to it any more. Saving the webhook again enables it; failed deliveries can then be recovered.";
  const id = `The webhook's id is ${webhookId}.`;
  return letter(
    `Webhook disabled: ${origin}`,
    [what, next, id],
    [html`<p>${what}</p>`, html`<p>${next}</p>`, html`<p class="quiet">${id}</p>`],
  );
}
