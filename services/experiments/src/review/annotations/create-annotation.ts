import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { AnnotationEntity, type AnnotationRow, annotationVersions } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["createAnnotation"];

/** Creates an annotation in the caller's application. */
export function createAnnotation(deps: Deps): Handler {
  const { database, publish, clock, newId, users } = deps;
  return ({ title, description = null, createdAt, traceStepId }, call) => {
    const { applicationId, orgId, userId } = call.tenant;
    const now = clock.now();
    const row: AnnotationRow = {
      applicationId,
      id: newId(),
      orgId,
      title,
      description,
      // In lower case, because PostgreSQL returns UUIDs in lower case.
      traceStepId: traceStepId?.toLowerCase() ?? null,
      authorId: userId || null,
      createdAt: createdAt === undefined ? now : dateFromTimestamp(createdAt),
      modifiedAt: now,
    };
    return database.changeAfter(
      call,
      () => namedUsers(users, call, [row.authorId]),
      async (tx, people) => {
        await tx.insert(AnnotationEntity, row);
        await publish(tx, call.tenant, { case: "annotationCreated", value: annotation(row) });
        annotationVersions.answer(call, row);
        return { data: annotation(row, people) };
      },
    );
  };
}
