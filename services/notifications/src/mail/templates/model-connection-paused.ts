import type { ContentFor } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export function modelConnectionPausedMail(data: ContentFor<"MODEL_CONNECTION_PAUSED">): MailContent {
  const { applicationId, connection, provider, reason, pausedAt } = data;
  const title = oneLine(connection.title);
  const what = `The model connection “${title}” (${provider}) was paused on ${pausedAt}: ${oneLine(reason)}.`;
  const next = "Evaluations that need it wait until the connection is changed or a test of it succeeds.";
  const id = `The connection's ID is ${connection.id}, the application's ID is ${applicationId}.`;
  return layout(
    `Model connection paused: ${title}`,
    [what, next, id],
    [html`<p>${what}</p>`, html`<p>${next}</p>`, html`<p class="quiet">${id}</p>`],
  );
}
