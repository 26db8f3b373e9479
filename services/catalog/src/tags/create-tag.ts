import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity, type TagRow } from "./entity.ts";
import { tag } from "./messages.ts";
import { nameTaken } from "./name-taken.ts";

type Handler = Handlers<typeof TagService>["createTag"];

const colorDefault = "#3B82F6";

/** A new, active tag of the caller's application. */
export function createTag({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return async ({ name, color, description }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: TagRow = {
      applicationId,
      id: newId(),
      orgId,
      name,
      color: color ?? colorDefault,
      description: description ?? "",
      status: "ACTIVE",
      createdAt: now,
      modifiedAt: now,
    };
    return database.change(call, async (tx) => {
      await tx.insert(TagEntity, row).catch(nameTaken);
      return { data: tag(row) };
    });
  };
}
