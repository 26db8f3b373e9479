import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "./deps.ts";

/** The columns that every new resource starts with. */
export function newResource({ clock, newId }: Pick<Deps, "clock" | "newId">, { tenant }: Call) {
  const { applicationId, orgId } = tenant;
  const now = clock.now();
  return { applicationId, id: newId(), orgId, createdAt: now, modifiedAt: now };
}
