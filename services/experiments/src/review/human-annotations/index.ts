import { type Mount, mount } from "@ems/kit/rpc/service";
import { HumanAnnotationService } from "@ems/proto/experiments/v1/human_annotation_service";
import type { Deps } from "../../deps.ts";
import { createHumanAnnotation } from "./create-human-annotation.ts";
import { getHumanAnnotation } from "./get-human-annotation.ts";
import { listHumanAnnotations } from "./list-human-annotations.ts";
import { updateHumanAnnotation } from "./update-human-annotation.ts";

export const humanAnnotations = (deps: Deps): Mount =>
  mount(HumanAnnotationService, {
    createHumanAnnotation: createHumanAnnotation(deps),
    listHumanAnnotations: listHumanAnnotations(deps),
    getHumanAnnotation: getHumanAnnotation(deps),
    updateHumanAnnotation: updateHumanAnnotation(deps),
  });
