import { buildMessage } from "@ems/kit/message";
import { HumanAnnotationSchema } from "@ems/proto/experiments/v1/human_annotation_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { HumanAnnotationRow } from "./entity.ts";

export const humanAnnotation = (row: HumanAnnotationRow, users: ReadonlyMap<string, UserReference>) =>
  buildMessage(HumanAnnotationSchema, {
    ...row,
    score: row.scoreMicro === null ? null : Number(row.scoreMicro) / 1e6,
    annotator: users.get(row.annotatorId),
  });
