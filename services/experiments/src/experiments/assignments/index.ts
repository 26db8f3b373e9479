import type { Deps } from "../../deps.ts";
import { createAssignments } from "./create-assignments.ts";
import { listAssignments } from "./list-assignments.ts";
import { reassignAssignments } from "./reassign-assignments.ts";

/** QuickstartService's RPCs for assignments. */
export const assignments = (deps: Deps) => ({
  createAssignments: createAssignments(deps),
  reassignAssignments: reassignAssignments(deps),
  listAssignments: listAssignments(deps),
});
