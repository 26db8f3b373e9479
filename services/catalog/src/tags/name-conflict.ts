import { violatesUnique } from "@ems/kit/db/errors";
import { conflict } from "@ems/kit/errors";
import { tagNameKey } from "./entity.ts";

/** Rethrows a statement's error: another active tag with the name is a conflict. */
export function rethrowNameConflict(error: unknown): never {
  throw violatesUnique(error, tagNameKey) ? conflict("An active tag of that name exists") : error;
}
