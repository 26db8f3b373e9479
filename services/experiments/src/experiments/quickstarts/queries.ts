import { rowById } from "@ems/kit/db/row-by-id";
import { QuickstartEntity } from "./entity.ts";

/** Reads a quickstart of the caller's application. Quickstarts are never deleted, so a found one remains valid. */
export const quickstartById = rowById(QuickstartEntity, "Quickstart");
