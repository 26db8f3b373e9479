import { buildMessage } from "@ems/kit/message";
import { AnnotationSchema } from "@ems/proto/experiments/v1/annotation_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { AnnotationRow } from "./entity.ts";

/** The author is included if `users` has them. */
export const annotation = (row: AnnotationRow, users: ReadonlyMap<string, UserReference> = new Map()) =>
  buildMessage(AnnotationSchema, { ...row, author: row.authorId === null ? undefined : users.get(row.authorId) });
