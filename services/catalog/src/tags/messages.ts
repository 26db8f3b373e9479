import { buildMessage } from "@ems/kit/message";
import { TagSchema } from "@ems/proto/catalog/v1/tag_service";
import type { TagRow } from "./entity.ts";

export const tag = (row: TagRow) => buildMessage(TagSchema, row);
