import { messageOf } from "@ems/kit/message";
import { HumanAnnotationSchema } from "@ems/proto/experiments/v1/human_annotation_service";
import type { HumanAnnotationRow } from "./entity.ts";

export const humanAnnotation = (row: HumanAnnotationRow) => messageOf(HumanAnnotationSchema, row);
