import type { NamedResource } from "../job-content.ts";
import { html } from "./html.ts";
import { type Letter, letter } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export interface ContradictionAssignedLetter {
  /** The person's. */
  readonly name: string;
  readonly quickstart: NamedResource;
  readonly contradictionId: string;
}

/** To a person who is to look at a contradiction between documents. */
export function contradictionAssignedLetter({
  name,
  quickstart,
  contradictionId,
}: ContradictionAssignedLetter): Letter {
  const [person, title] = [oneLine(name), oneLine(quickstart.title)];
  const task = `two documents of “${title}” contradict each other, and you were asked to look at it.`;
  const ids = `The contradiction's id is ${contradictionId}, the quickstart's is ${quickstart.id}.`;
  return letter(
    `A contradiction for you: ${title}`,
    [`Hello ${person},`, task, ids],
    [html`<p>Hello ${person},</p>`, html`<p>${task}</p>`, html`<p class="quiet">${ids}</p>`],
  );
}
