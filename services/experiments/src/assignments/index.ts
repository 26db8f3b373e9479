import type { Deps } from "../deps.ts";
import { createAssignments } from "./create-assignments.ts";
import { listAssignments } from "./list-assignments.ts";

/** QuickstartService's RPCs on assignments. */
export const assignments = (deps: Deps) => ({
  createAssignments: createAssignments(deps),
  listAssignments: listAssignments(deps),
});
