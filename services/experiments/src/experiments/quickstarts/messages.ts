import { buildMessage } from "@ems/kit/message";
import { QuickstartSchema } from "@ems/proto/experiments/v1/quickstart_service";
import type { QuickstartRow } from "./entity.ts";

export const quickstart = (row: QuickstartRow) => buildMessage(QuickstartSchema, row);
