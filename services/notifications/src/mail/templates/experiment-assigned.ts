import type { NamedResource } from "../job-content.ts";
import { html } from "./html.ts";
import { type Letter, letter } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export interface ExperimentAssignedLetter {
  /** The person's. */
  readonly name: string;
  readonly experiment: NamedResource;
}

/** To a person whose an experiment has become. */
export function experimentAssignedLetter({ name, experiment }: ExperimentAssignedLetter): Letter {
  const [person, title] = [oneLine(name), oneLine(experiment.title)];
  const task = `the experiment “${title}” was assigned to you.`;
  const id = `The experiment's id is ${experiment.id}.`;
  return letter(
    `An experiment for you: ${title}`,
    [`Hello ${person},`, task, id],
    [html`<p>Hello ${person},</p>`, html`<p>${task}</p>`, html`<p class="quiet">${id}</p>`],
  );
}
