import { notFound } from "@ems/kit/errors";
import { dateOf } from "@ems/kit/json/timestamp";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import type { Deps } from "../deps.ts";
import { AnnotationEntity } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["updateAnnotation"];

/** Changes the given fields of an annotation. */
export function updateAnnotation({ database, publish, clock }: Pick<Deps, "database" | "publish" | "clock">): Handler {
  return ({ id, title, description, createdAt, traceStepId }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(AnnotationEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Annotation");
      const change = definedFields({
        title,
        description: textOrNull(description),
        createdAt: createdAt && dateOf(createdAt),
        traceStepId: textOrNull(traceStepId)?.toLowerCase() ?? (traceStepId && null),
      });
      const changed = { ...change, modifiedAt: clock.now() };
      tx.deferUpdate(AnnotationEntity, key, changed);
      const data = annotation({ ...row, ...changed });
      await publish(tx, call.tenant, { case: "annotationUpdated", value: data });
      return { data };
    });
}
