import type { Handlers } from "@ems/kit/rpc/service";
import type { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { annotationById, annotationVersions } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["getAnnotation"];

/** Returns an annotation of the caller's application. */
export function getAnnotation({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async ({ id }, call) => {
    const row = await annotationById.read(database, call, id);
    annotationVersions.answer(call, row);
    return { data: annotation(row, await namedUsers(users, call, [row.authorId])) };
  };
}
