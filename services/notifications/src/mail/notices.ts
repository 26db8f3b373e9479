// Mails that inform the operator (OPERATOR_TO) about events of evaluation.

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { idAt } from "@ems/kit/id";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { BudgetReached, ModelConnectionPaused } from "@ems/proto/events/v1/event";
import type { ContentFor } from "./job-content.ts";
import type { NewJob } from "./jobs.ts";

interface Subject {
  readonly applicationId: string;
  readonly orgId: string;
}

const toOperator = { userId: "" };
const dayMs = 24 * 60 * 60_000;

/** Builds one mail per budget, share and period, even if the budget is changed and reached several times. */
export function budgetNotice({ applicationId, orgId }: Subject, event: BudgetReached): NewJob {
  const { percent, budget, spent, uncertain } = event;
  const endsAt = toDate(event.endsAt);
  const period = event.period === "month" ? "month" : "day";
  const unit = event.unit === "tokens" ? "tokens" : "money";
  const content: ContentFor<"BUDGET_REACHED"> = {
    kind: "BUDGET_REACHED",
    applicationId,
    period,
    unit,
    percent,
    budget: budget.toString(),
    spent: spent.toString(),
    uncertain: uncertain.toString(),
    endsAt: endsAt.toISOString(),
  };
  const id = idAt(endsAt, `budget.reached ${applicationId} ${period} ${unit} ${percent}`);
  return { applicationId, id, orgId, content, ...toOperator };
}

/** Builds one mail per connection and day (UTC), even if the connection recovers several times. */
export function pausedNotice({ applicationId, orgId }: Subject, event: ModelConnectionPaused): NewJob {
  const { id: connectionId, name, provider, reason } = event;
  const pausedAt = toDate(event.pausedAt);
  const content: ContentFor<"MODEL_CONNECTION_PAUSED"> = {
    kind: "MODEL_CONNECTION_PAUSED",
    applicationId,
    provider,
    reason,
    connection: { id: connectionId, title: name },
    pausedAt: pausedAt.toISOString(),
  };
  const day = new Date(Math.floor(pausedAt.getTime() / dayMs) * dayMs);
  const id = idAt(day, `model_connection.paused ${applicationId} ${connectionId}`);
  return { applicationId, id, orgId, content, ...toOperator };
}

/** Converts a time, which both events always contain. */
function toDate(time: Timestamp | undefined): Date {
  return time === undefined ? new Date(0) : dateFromTimestamp(time);
}
