import type { Handlers } from "@ems/kit/rpc/service";
import type { HumanAnnotationService } from "@ems/proto/experiments/v1/human_annotation_service";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { humanAnnotationById, humanAnnotationVersions } from "./entity.ts";
import { humanAnnotation } from "./messages.ts";

type Handler = Handlers<typeof HumanAnnotationService>["getHumanAnnotation"];

/** Returns a human annotation of the caller's application. */
export function getHumanAnnotation({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async ({ id }, call) => {
    const row = await humanAnnotationById.read(database, call, id);
    humanAnnotationVersions.answer(call, row);
    return { data: humanAnnotation(row, await namedUsers(users, call, [row.annotatorId])) };
  };
}
