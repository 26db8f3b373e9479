import { breaksUnique } from "@ems/kit/db/errors";
import { conflict } from "@ems/kit/errors";
import { tagNameKey } from "./entity.ts";

/** Rethrows what a statement failed with; that an active tag has the name already is the caller's conflict. */
export function nameTaken(thrown: unknown): never {
  throw breaksUnique(thrown, tagNameKey) ? conflict("An active tag of that name exists") : thrown;
}
