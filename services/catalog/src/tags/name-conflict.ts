import { violatesUnique } from "@ems/kit/db/errors";
import { conflict } from "@ems/kit/errors";
import { tagNameKey } from "./entity.ts";

/** Translates the unique violation of an active tag's name into a conflict. */
export function rethrowNameConflict(error: unknown): never {
  throw violatesUnique(error, tagNameKey) ? conflict("An active tag with this name already exists") : error;
}
