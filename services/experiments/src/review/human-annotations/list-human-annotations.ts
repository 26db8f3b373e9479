import { defineList, listPage, nonEmptyOrNull, timeRange } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  HumanAnnotationOrderSchema,
  type HumanAnnotationService,
  HumanAnnotationSourceSchema,
} from "@ems/proto/experiments/v1/human_annotation_service";
import { toTraceId } from "@ems/traces-client";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { HumanAnnotationEntity } from "./entity.ts";
import { humanAnnotation } from "./messages.ts";

type Handler = Handlers<typeof HumanAnnotationService>["listHumanAnnotations"];

const list = defineList(HumanAnnotationEntity, {
  alias: "h",
  orderBy: HumanAnnotationOrderSchema,
  where: {
    traceId: "h.trace_id = ANY (?)",
    annotatorId: "h.annotator_id = ANY (?)",
    source: "h.source = ANY (?)",
    queueItemId: "h.queue_item_id = ANY (?)",
    definitionId: "h.definition_id = ANY (?)",
    passId: "h.pass_id = ANY (?)",
    verdict: "h.verdict = ?",
    from: "h.created_at >= ?",
    until: "h.created_at < ?",
  },
});

/** Lists the human annotations of the caller's application. */
export function listHumanAnnotations({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async (request, call) => {
    const filters = {
      traceId: nonEmptyOrNull(request.traceId.map(toTraceId)),
      annotatorId: nonEmptyOrNull(request.annotatorId),
      source: enumNames(HumanAnnotationSourceSchema, request.source),
      queueItemId: nonEmptyOrNull(distinctIds(request.queueItemId)),
      definitionId: nonEmptyOrNull(distinctIds(request.definitionId)),
      passId: nonEmptyOrNull(distinctIds(request.passId)),
      verdict: request.verdict,
      ...timeRange(request),
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    const people = await namedUsers(
      users,
      call,
      rows.map(({ annotatorId }) => annotatorId),
    );
    return { data: rows.map((row) => humanAnnotation(row, people)), pagination };
  };
}
