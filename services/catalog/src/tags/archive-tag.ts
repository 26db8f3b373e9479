import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { TagEntity } from "./entity.ts";

export function archiveTag({ database, clock }: Deps): Handlers<typeof TagService>["archiveTag"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      tx.deferUpdate(TagEntity, { ...key, status: "ACTIVE" }, change);
      if (!(await tx.commit(tx.exists(TagEntity, key)))) throw notFound("Tag");
      return {};
    });
}
