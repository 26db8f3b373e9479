import { notFound } from "@ems/kit/errors";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { AnnotationEntity, annotationById, annotationVersions } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["updateAnnotation"];

/** Updates an annotation. */
export function updateAnnotation(deps: Pick<Deps, "database" | "publish" | "clock" | "users">): Handler {
  const { database, publish, clock, users } = deps;
  return ({ id, title, description, createdAt, traceStepId }, call) => {
    const author = async () => namedUsers(users, call, [(await annotationById.read(database, call, id)).authorId]);
    return database.changeAfter(call, author, async (tx, people) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(AnnotationEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Annotation");
      annotationVersions.check(call, row);
      const change = definedFields({
        title,
        description: textOrNull(description),
        createdAt: createdAt && dateFromTimestamp(createdAt),
        traceStepId: textOrNull(traceStepId)?.toLowerCase() ?? (traceStepId && null),
      });
      const changed = { ...change, modifiedAt: clock.now() };
      tx.deferUpdate(AnnotationEntity, key, changed);
      const after = { ...row, ...changed };
      await publish(tx, call.tenant, { case: "annotationUpdated", value: annotation(after) });
      annotationVersions.answer(call, after);
      return { data: annotation(after, people) };
    });
  };
}
