import type { JobContent } from "../job-content.ts";
import { contradictionAssignedLetter } from "./contradiction-assigned.ts";
import { experimentAssignedLetter } from "./experiment-assigned.ts";
import type { Letter } from "./layout.ts";
import { reviewsAssignedLetter } from "./reviews-assigned.ts";
import { webhookDisabledLetter } from "./webhook-disabled.ts";

/** The letter that tells `content` to the person of that name. Throws when it is a newer version's that knows other kinds. */
export function letterOf(content: JobContent, name: string): Letter {
  switch (content.kind) {
    case "REVIEWS_ASSIGNED":
      return reviewsAssignedLetter({ name, ...content });
    case "CONTRADICTION_ASSIGNED":
      return contradictionAssignedLetter({ name, ...content });
    case "EXPERIMENT_ASSIGNED":
      return experimentAssignedLetter({ name, ...content });
    case "WEBHOOK_DISABLED":
      return webhookDisabledLetter(content);
    default:
      throw new Error(`no letter for ${(content satisfies never as JobContent).kind}`);
  }
}
