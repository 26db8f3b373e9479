import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { TopicSchema, type TopicService } from "@ems/proto/catalog/v1/topic_service";
import { Not } from "typeorm";
import type { Deps } from "../deps.ts";
import { TaskEntity, type TaskRow } from "../tasks/entity.ts";
import { TopicEntity } from "./entity.ts";
import { fitsEvent } from "../event-size.ts";
import { topic } from "./messages.ts";
import { task } from "../tasks/messages.ts";
import { taskColumns } from "../tasks/queries.ts";
import { shownWith } from "./load-references.ts";
import { findTopic } from "./queries.ts";

type Handler = Handlers<typeof TopicService>["archiveTopic"];

const archiveTasks = `WITH archived AS (
    UPDATE catalog.task SET status = 'ARCHIVED', modified_at = $3
    WHERE application_id = $1 AND topic_id = $2 AND status <> 'ARCHIVED' RETURNING *
  ) SELECT ${taskColumns} FROM archived t`;

/** Archives a topic, and with `cascade` its tasks; what is archived already stays as it was. */
export function archiveTopic({ database, publish, publishAll, clock, ...peers }: Deps): Handler {
  return async ({ id, cascade }, call) => {
    const { applicationId } = call.tenant;
    const found = await findTopic(database, call, id);
    if (found === undefined) throw notFound("Topic");
    // Asked before the transaction: no row stays locked while another service thinks.
    const { assigned, application } = await shownWith(peers, call, [found]);

    return database.change(call, async (manager) => {
      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      const unarchived = Not("ARCHIVED" as const);
      const { affected } = await manager.update(TopicEntity, { applicationId, id, status: unarchived }, change);
      if (cascade) {
        const tasks = await manager.query<TaskRow[]>(archiveTasks, [applicationId, id, change.modifiedAt]);
        const facts = tasks.map((row) => ({ case: "taskArchived", value: task(row) }) as const);
        await publishAll(manager, call.tenant, facts);
      }
      if (affected === 0) return {};

      const taskCount = await manager.countBy(TaskEntity, { applicationId, topicId: id, status: unarchived });
      const data = topic({ ...found, ...change, taskCount }, assigned, application);
      const told = fitsEvent(TopicSchema, data) ? data : { ...data, evalDefinitions: [] };
      await publish(manager, call.tenant, { case: "topicArchived", value: told });
      return {};
    });
  };
}
