import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "./deps.ts";

/** Returns the columns that all new resources have. */
export function newResource({ clock, newId }: Pick<Deps, "clock" | "newId">, { tenant }: Call) {
  const { applicationId, orgId } = tenant;
  const now = clock.now();
  return { applicationId, id: newId(), orgId, createdAt: now, modifiedAt: now };
}
