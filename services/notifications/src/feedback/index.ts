import { type Mount, mount } from "@ems/kit/rpc/service";
import { FeedbackAdminService } from "@ems/proto/notifications/v1/feedback_admin_service";
import { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import type { Deps } from "../deps.ts";
import { type ListUnsentDeps, listUnsentFeedback } from "./list-unsent-feedback.ts";
import { type ResendDeps, resendFeedback } from "./resend-feedback.ts";
import { sendFeedback } from "./send-feedback.ts";

export { feedbackLimiter } from "./limits.ts";
export { startResender } from "./resender.ts";
export { missed } from "./unsent.ts";

export const feedback = (deps: Deps): Mount => mount(FeedbackService, { sendFeedback: sendFeedback(deps) });

/** Mounts the operator's RPCs, using the role that may read the rows of every application. */
export const feedbackAdmin = (deps: ListUnsentDeps & ResendDeps): Mount =>
  mount(FeedbackAdminService, {
    listUnsentFeedback: listUnsentFeedback(deps),
    resendFeedback: resendFeedback(deps),
  });
