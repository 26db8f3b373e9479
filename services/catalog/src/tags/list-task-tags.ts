import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import type { TagRow } from "./entity.ts";
import { tag } from "./messages.ts";
import { tagColumns } from "./queries.ts";

type Handler = Handlers<typeof TagService>["listTaskTags"];

/** So many fit an answer, however long they are. Tasks have fewer, but for those that were tagged before that was limited. */
const shownMax = 300;

const taskKnown = "SELECT FROM catalog.task WHERE application_id = $1 AND id = $2";
const tagsOfTask = `SELECT ${tagColumns} FROM catalog.task_tag x
  JOIN catalog.tag g ON g.application_id = x.application_id AND g.id = x.tag_id
  WHERE x.application_id = $1 AND x.task_id = $2 ORDER BY g.name, g.id LIMIT ${shownMax}`;

/** The tags of a task of the caller's application. */
export function listTaskTags({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [known, tags] = await database.readAll(call, [
      { name: "task-known", text: taskKnown, values },
      { name: "tags-of-task", text: tagsOfTask, values },
    ]);
    if (known?.length === 0) throw notFound("Task");
    return { data: (tags as TagRow[]).map(tag) };
  };
}
