import { messageOf } from "@ems/kit/message";
import { ApplicationSchema } from "@ems/proto/identity/v1/application_service";
import type { ApplicationRow } from "./entity.ts";

export const application = (row: ApplicationRow) => messageOf(ApplicationSchema, row);
