import { messageOf } from "@ems/kit/message";
import { AnnotationSchema } from "@ems/proto/experiments/v1/annotation_service";
import type { AnnotationRow } from "./entity.ts";

export const annotation = (row: AnnotationRow) => messageOf(AnnotationSchema, row);
