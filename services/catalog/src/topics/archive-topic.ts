import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { TopicSchema, type TopicService } from "@ems/proto/catalog/v1/topic_service";
import { Not } from "typeorm";
import type { Deps } from "../deps.ts";
import { fitsEvent } from "../event-size.ts";
import { archiveTasksOfTopic } from "../tasks/index.ts";
import { TopicEntity } from "./entity.ts";
import { shownWith } from "./load-references.ts";
import { topic } from "./messages.ts";
import { findTopic, topicInChange } from "./queries.ts";

type Handler = Handlers<typeof TopicService>["archiveTopic"];

/** Archives a topic, and with `cascade` its tasks; what is archived already stays as it was. */
export function archiveTopic({ database, publish, clock, ...deps }: Deps): Handler {
  return async ({ id, cascade }, call) => {
    const { applicationId } = call.tenant;
    const found = await findTopic(database, call, id);
    if (found === undefined) throw notFound("Topic");
    // Asked before the transaction: no row stays locked while another service thinks.
    const { assigned, application } = await shownWith(deps, call, [found]);

    return database.change(call, async (tx) => {
      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      const unarchived = { applicationId, id, status: Not("ARCHIVED" as const) };
      const affected = await tx.update(TopicEntity, unarchived, change);
      if (cascade) await archiveTasksOfTopic(deps, tx, call, id, change.modifiedAt);
      if (affected === 0) return {};

      const { taskCount } = await topicInChange(tx, call, id);
      const data = topic({ ...found, ...change, taskCount }, assigned, application);
      const told = fitsEvent(TopicSchema, data) ? data : { ...data, evalDefinitions: [] };
      await publish(tx, call.tenant, { case: "topicArchived", value: told });
      return {};
    });
  };
}
