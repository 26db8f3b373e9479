import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity } from "./entity.ts";

type Handler = Handlers<typeof TagService>["archiveTag"];

/** Archives a tag; one that is archived already stays as it was. */
export function archiveTag({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const which = { applicationId: call.tenant.applicationId, id };
      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      const affected = await tx.update(TagEntity, { ...which, status: "ACTIVE" }, change);
      if (affected === 0 && !(await tx.exists(TagEntity, which))) throw notFound("Tag");
      return {};
    });
}
