import { buildMessage } from "@ems/kit/message";
import { TraceFeedbackSchema } from "@ems/proto/experiments/v1/trace";
import type { FeedbackRow } from "./entity.ts";

export const traceFeedback = (row: FeedbackRow) => buildMessage(TraceFeedbackSchema, { ...row, user: row.endUser });
