import { buildMessage } from "@ems/kit/message";
import { ApplicationSchema } from "@ems/proto/identity/v1/application_service";
import type { ApplicationRow } from "./entity.ts";

export const application = (row: ApplicationRow) => buildMessage(ApplicationSchema, row);
