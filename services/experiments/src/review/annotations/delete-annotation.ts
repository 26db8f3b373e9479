import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import type { Deps } from "../../deps.ts";
import { AnnotationEntity } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["deleteAnnotation"];

/** Deletes an annotation. */
export function deleteAnnotation({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.findOne(AnnotationEntity, key, { lock: "UPDATE" });
      if (row === null) throw notFound("Annotation");
      tx.deferDelete(AnnotationEntity, key);
      await publish(tx, call.tenant, { case: "annotationDeleted", value: annotation(row) });
      return {};
    });
}
