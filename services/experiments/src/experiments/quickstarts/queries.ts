import { rowById } from "@ems/kit/db/row-by-id";
import { QuickstartEntity } from "./entity.ts";

/** A quickstart of the caller's application. Quickstarts are never deleted, so it stays valid. */
export const quickstartById = rowById(QuickstartEntity, "Quickstart");
