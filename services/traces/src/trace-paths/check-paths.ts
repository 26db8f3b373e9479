// Pure: checks paths of a request.

import { type FieldViolation, invalidFields } from "@ems/kit/errors";
import { type PathField, parsePath, pathFields, type StoredPaths, type TracePath, type TracePaths } from "./path.ts";

type PathRequest = { readonly [Field in PathField]?: string | undefined };

export interface CheckedPaths {
  readonly stored: StoredPaths;
  readonly paths: TracePaths;
  readonly faults: readonly FieldViolation[];
}

/** Ids are read from each step on its own, when it arrives. */
const ofEachStep: readonly PathField[] = ["session", "user"];

/** Reads the paths of a request, and returns them with all violations. */
export function checkPaths(request: PathRequest): CheckedPaths {
  const stored: Partial<Record<PathField, string>> = {};
  const paths: Partial<Record<PathField, TracePath>> = {};
  const faults: FieldViolation[] = [];
  for (const field of pathFields) {
    const text = request[field];
    if (text === undefined) continue;
    const path = parsePath(text);
    if ("error" in path) faults.push({ path: [field], message: path.error });
    else if (ofEachStep.includes(field) && path.steps?.position !== undefined)
      faults.push({
        path: [field],
        message: "Must not have the position of a step: it is read from each step on its own",
      });
    else {
      stored[field] = text;
      paths[field] = path;
    }
  }
  return { stored, paths, faults };
}

/** Reads the paths of a request; throws all violations. */
export function requirePaths(request: PathRequest): TracePaths {
  const { paths, faults } = checkPaths(request);
  if (faults.length > 0) throw invalidFields(faults);
  return paths;
}
