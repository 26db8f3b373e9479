import { dateOf } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import type { Deps } from "../deps.ts";
import { AnnotationEntity, type AnnotationRow } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["createAnnotation"];

/** A new annotation of the caller's application. */
export function createAnnotation({ database, publish, clock, newId }: Deps): Handler {
  return ({ title, description = null, createdAt, traceStepId }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: AnnotationRow = {
      applicationId,
      id: newId(),
      orgId,
      title,
      description,
      // The spelling that PostgreSQL returns to later calls.
      traceStepId: traceStepId?.toLowerCase() ?? null,
      createdAt: createdAt === undefined ? now : dateOf(createdAt),
      modifiedAt: now,
    };
    const data = annotation(row);
    return database.change(call, async (tx) => {
      await tx.insert(AnnotationEntity, row);
      await publish(tx, call.tenant, { case: "annotationCreated", value: data });
      return { data };
    });
  };
}
