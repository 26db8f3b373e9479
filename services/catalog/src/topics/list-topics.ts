import { create } from "@bufbuild/protobuf";
import { listOf, listPage } from "@ems/kit/db/list";
import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ListTopicsResponseSchema,
  type TopicService,
  TopicStatus,
  TopicStatusSchema,
} from "@ems/proto/catalog/v1/topic_service";
import { requirePageFits } from "../answer-size.ts";
import type { Deps } from "../deps.ts";
import { TopicEntity, type TopicRow } from "./entity.ts";
import { topicMessages } from "./load-references.ts";
import { type ReadTopic, topicColumns, wholeTopics } from "./queries.ts";

type Handler = Handlers<typeof TopicService>["listTopics"];

/** Statuses of a list that does not ask for any: archived topics are hidden from operational surfaces. */
const listed = [TopicStatus.DRAFT, TopicStatus.ACTIVE];

const list = listOf<TopicRow, ReadTopic>(TopicEntity, {
  alias: "t",
  columns: topicColumns,
  where: "t.status = ANY ($2)",
  search: "catalog.find_topic",
});

/** A page of the caller's application's topics. */
export function listTopics({ database, ...peers }: Pick<Deps, "database" | "users" | "applications">): Handler {
  return async (request, call) => {
    const asked = request.status.length > 0 ? request.status : listed;
    const statuses = asked.map((status) => enumName(TopicStatusSchema, status));
    const search = request.title;
    const { rows, pagination } = await listPage(database, call, list, request, [statuses], { search });
    const whole = await wholeTopics(database, call, rows);
    const answer = create(ListTopicsResponseSchema, {
      data: await topicMessages(peers, call, whole),
      pagination,
    });
    // Each topic shows its definitions whole, and each of those all its topics.
    if (whole.some(({ definitions }) => definitions.length > 0)) requirePageFits(ListTopicsResponseSchema, answer);
    return answer;
  };
}
