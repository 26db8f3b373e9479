import type { NamedResource } from "../job-content.ts";
import { html } from "./html.ts";
import { type Letter, letter } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export interface ReviewsAssignedLetter {
  /** The person's. */
  readonly name: string;
  readonly quickstart: NamedResource;
  readonly kbReviewCount: number;
  readonly tasksTopicsReviewCount: number;
  /** Of the first few of the topics. */
  readonly topicIds: readonly string[];
}

/** To a person who was assigned to review topics. */
export function reviewsAssignedLetter(data: ReviewsAssignedLetter): Letter {
  const { quickstart, kbReviewCount, tasksTopicsReviewCount, topicIds } = data;
  const [name, title] = [oneLine(data.name), oneLine(quickstart.title)];
  const count = kbReviewCount + tasksTopicsReviewCount;
  const work = [
    ...(kbReviewCount > 0 ? [`Knowledge base review: ${topics(kbReviewCount)}`] : []),
    ...(tasksTopicsReviewCount > 0 ? [`Review of tasks and topics: ${topics(tasksTopicsReviewCount)}`] : []),
  ];
  const intro = `you were assigned to ${count === 1 ? "a review" : `${count} reviews`} of “${title}”:`;
  const which = count > topicIds.length ? "Topics, the first few:" : "Topics:";
  return letter(
    `${count === 1 ? "A review" : `${count} reviews`} for you: ${title}`,
    [
      `Hello ${name},`,
      intro,
      work.join("\n"),
      `${which}\n${topicIds.join("\n")}`,
      `The quickstart's id is ${quickstart.id}.`,
    ],
    [
      html`<p>Hello ${name},</p>`,
      html`<p>${intro}</p>`,
      html`<ul>${work.map((line) => html`<li>${line}</li>`)}</ul>`,
      html`<p>${which}<br>${topicIds.map((id) => html`${id}<br>`)}</p>`,
      html`<p class="quiet">The quickstart’s id is ${quickstart.id}.</p>`,
    ],
  );
}

function topics(count: number): string {
  return count === 1 ? "1 topic" : `${count} topics`;
}
