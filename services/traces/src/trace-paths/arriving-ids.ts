// Pure: the session and the end user that an application's paths find in arriving data, before redaction.

import { fromValue } from "@ems/kit/json/free-value";
import type { TraceStep } from "@ems/proto/experiments/v1/trace";
import { getPayloads, readEndUser, readSession, type TraceIds, type TraceUpdate } from "../traces/index.ts";
import { type Part, Search } from "./find-values.ts";
import type { StepPart, TracePath, TracePaths } from "./path.ts";
import { toId } from "./to-id.ts";

type IdPaths = Pick<TracePaths, "session" | "user">;

/** Returns the ids that the paths find; undefined if they find none. */
export function findIds(applicationId: string, update: TraceUpdate, paths: IdPaths): TraceIds | undefined {
  const session = paths.session && findId(update, paths.session);
  const user = paths.user && findId(update, paths.user);
  if (session === undefined && user === undefined) return undefined;
  return {
    ...(session !== undefined && { session: readSession(applicationId, session) }),
    ...(user !== undefined && { endUser: readEndUser(applicationId, user) }),
  };
}

function findId({ trace, steps }: TraceUpdate, path: TracePath) {
  const search = new Search(path);
  for (const part of path.steps === undefined ? [trace?.metadata] : selectParts(steps, path))
    for (const { value } of search.valuesIn(part)) {
      const id = toId(value);
      if (id !== undefined) return id;
    }
  return undefined;
}

function* selectParts(steps: readonly TraceStep[], { steps: selector, part }: TracePath): Generator<Part> {
  if (selector === undefined) return;
  const { isRoot, type, name } = selector;
  for (const step of steps) {
    const isSelected =
      (!isRoot || step.parentId === undefined) &&
      (type === undefined || step.type === type) &&
      (name === undefined || step.name === name);
    if (isSelected) yield readPart(step, part);
  }
}

function readPart(step: TraceStep, part: StepPart): Part {
  if (part === "name") return step.name;
  if (part === "input" || part === "output") return step[getPayloads(step.type)[part]] ?? step[part];
  const value = step[part];
  return value && fromValue(value);
}
