import { buildMessage } from "@ems/kit/message";
import { AnnotationSchema } from "@ems/proto/experiments/v1/annotation_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { AnnotationRow } from "./entity.ts";

/** Builds the API message of an annotation; it contains the author if `users` does. */
export const annotation = (row: AnnotationRow, users: ReadonlyMap<string, UserReference> = new Map()) =>
  buildMessage(AnnotationSchema, { ...row, author: row.authorId === null ? undefined : users.get(row.authorId) });
