import { violatesUnique } from "@ems/kit/db/errors";
import { conflict } from "@ems/kit/errors";
import { tagNameKey } from "./entity.ts";

/** Throws a conflict for a violation of the unique index on the names of active tags. */
export function rethrowNameConflict(error: unknown): never {
  throw violatesUnique(error, tagNameKey) ? conflict("An active tag with this name already exists") : error;
}
