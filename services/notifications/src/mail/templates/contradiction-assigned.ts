import type { ContentFor } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

type Data = ContentFor<"CONTRADICTION_ASSIGNED">;

export function contradictionAssignedMail({ quickstart, contradictionId }: Data, name: string): MailContent {
  const [person, title] = [oneLine(name), oneLine(quickstart.title)];
  const task = `Two documents of “${title}” contradict each other. Please review the contradiction.`;
  const ids = `The contradiction's ID is ${contradictionId}, the quickstart's ID is ${quickstart.id}.`;
  return layout(
    `Contradiction assigned: ${title}`,
    [`Hello ${person},`, task, ids],
    [html`<p>Hello ${person},</p>`, html`<p>${task}</p>`, html`<p class="quiet">${ids}</p>`],
  );
}
