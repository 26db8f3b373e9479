import type { ContentFor } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export function experimentAssignedMail({ experiment }: ContentFor<"EXPERIMENT_ASSIGNED">, name: string): MailContent {
  const [person, title] = [oneLine(name), oneLine(experiment.title)];
  const task = `The experiment “${title}” was assigned to you.`;
  const id = `The experiment's ID is ${experiment.id}.`;
  return layout(
    `Experiment assigned: ${title}`,
    [`Hello ${person},`, task, id],
    [html`<p>Hello ${person},</p>`, html`<p>${task}</p>`, html`<p class="quiet">${id}</p>`],
  );
}
