import { type Mount, mount } from "@ems/kit/rpc/service";
import { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import type { Deps } from "../../deps.ts";
import { createAnnotation } from "./create-annotation.ts";
import { deleteAnnotation } from "./delete-annotation.ts";
import { getAnnotation } from "./get-annotation.ts";
import { listAnnotations } from "./list-annotations.ts";
import { updateAnnotation } from "./update-annotation.ts";

export const annotations = (deps: Deps): Mount =>
  mount(AnnotationService, {
    createAnnotation: createAnnotation(deps),
    listAnnotations: listAnnotations(deps),
    getAnnotation: getAnnotation(deps),
    updateAnnotation: updateAnnotation(deps),
    deleteAnnotation: deleteAnnotation(deps),
  });
