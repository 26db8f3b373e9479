import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import type { Deps } from "../deps.ts";
import { AnnotationEntity } from "./entity.ts";
import { annotation } from "./messages.ts";

type Handler = Handlers<typeof AnnotationService>["getAnnotation"];

const annotationById = rowById(AnnotationEntity, "Annotation");

/** One annotation of the caller's application. */
export function getAnnotation({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => ({ data: annotation(await annotationById.read(database, call, id)) });
}
