import { buildMessage } from "@ems/kit/message";
import { StyleGuideSchema } from "@ems/proto/catalog/v1/style_guide_service";
import type { StyleGuideRow } from "./entity.ts";

export const styleGuide = (row: StyleGuideRow) => buildMessage(StyleGuideSchema, row);
