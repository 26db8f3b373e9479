import type { JobContent } from "../job-content.ts";
import { budgetReachedMail } from "./budget-reached.ts";
import { contradictionAssignedMail } from "./contradiction-assigned.ts";
import { experimentAssignedMail } from "./experiment-assigned.ts";
import { invitedMail } from "./invited.ts";
import type { MailContent } from "./layout.ts";
import { modelConnectionPausedMail } from "./model-connection-paused.ts";
import { reviewsAssignedMail } from "./reviews-assigned.ts";
import { webhookDisabledMail } from "./webhook-disabled.ts";

/** Renders the mail of a job. Throws for a kind of mail that this version does not know. */
export function renderJob(content: JobContent, name: string): MailContent {
  switch (content.kind) {
    case "REVIEWS_ASSIGNED":
      return reviewsAssignedMail(content, name);
    case "CONTRADICTION_ASSIGNED":
      return contradictionAssignedMail(content, name);
    case "EXPERIMENT_ASSIGNED":
      return experimentAssignedMail(content, name);
    case "INVITED":
      return invitedMail(content);
    case "WEBHOOK_DISABLED":
      return webhookDisabledMail(content);
    case "BUDGET_REACHED":
      return budgetReachedMail(content);
    case "MODEL_CONNECTION_PAUSED":
      return modelConnectionPausedMail(content);
    default:
      throw new Error(`no template for ${(content satisfies never as JobContent).kind}`);
  }
}
