import type { ContentFor } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

export function reviewsAssignedMail(data: ContentFor<"REVIEWS_ASSIGNED">, recipient: string): MailContent {
  const { quickstart, kbReviewCount, tasksTopicsReviewCount, topicIds } = data;
  const [name, title] = [oneLine(recipient), oneLine(quickstart.title)];
  const count = kbReviewCount + tasksTopicsReviewCount;
  const work = [
    ...(kbReviewCount > 0 ? [`Knowledge base review: ${topics(kbReviewCount)}`] : []),
    ...(tasksTopicsReviewCount > 0 ? [`Review of tasks and topics: ${topics(tasksTopicsReviewCount)}`] : []),
  ];
  const intro = `${count === 1 ? "A review was" : `${count} reviews were`} assigned to you in “${title}”:`;
  const which = count > topicIds.length ? "First topics:" : "Topics:";
  return layout(
    `${count === 1 ? "Review assigned" : `${count} reviews assigned`}: ${title}`,
    [
      `Hello ${name},`,
      intro,
      work.join("\n"),
      `${which}\n${topicIds.join("\n")}`,
      `The quickstart's ID is ${quickstart.id}.`,
    ],
    [
      html`<p>Hello ${name},</p>`,
      html`<p>${intro}</p>`,
      html`<ul>${work.map((line) => html`<li>${line}</li>`)}</ul>`,
      html`<p>${which}<br>${topicIds.map((id) => html`${id}<br>`)}</p>`,
      html`<p class="quiet">The quickstart’s ID is ${quickstart.id}.</p>`,
    ],
  );
}

function topics(count: number): string {
  return count === 1 ? "1 topic" : `${count} topics`;
}
