import { defineList, listPage, timeRange } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { AnnotationOrderSchema, type AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { AnnotationEntity } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["listAnnotations"];

const list = defineList(AnnotationEntity, {
  alias: "a",
  orderBy: AnnotationOrderSchema,
  where: { from: "a.created_at >= ?", until: "a.created_at < ?" },
});

/** Lists the annotations of the caller's application. */
export function listAnnotations({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request, timeRange(request));
    const people = await namedUsers(
      users,
      call,
      rows.map(({ authorId }) => authorId),
    );
    return { data: rows.map((row) => annotation(row, people)), pagination };
  };
}
