import { create } from "@bufbuild/protobuf";
import { type List, readList } from "@ems/kit/db/list";
import { pageOf, pagination } from "@ems/kit/db/page";
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
import { topicMessages } from "./load-references.ts";
import { type ReadTopic, topicColumns, wholeTopics } from "./queries.ts";

type Handler = Handlers<typeof TopicService>["listTopics"];

const orders = {
  createdAt: "t.created_at",
  modifiedAt: "t.modified_at",
  title: "t.title",
  status: "t.status",
  id: "t.id",
};

/** Statuses of a list that does not ask for any: archived topics are hidden from operational surfaces. */
const listed = [TopicStatus.DRAFT, TopicStatus.ACTIVE];

const list: List = {
  name: "topics",
  columns: topicColumns,
  from: "catalog.topic t",
  where: "t.application_id = $1 AND t.status = ANY ($2)",
  tenant: "t.application_id",
  id: "t.id",
  search: { id: "t.id", find: "catalog.find_topic" },
};

/** A page of the caller's application's topics. */
export function listTopics({ database, ...peers }: Pick<Deps, "database" | "users" | "applications">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const asked = request.status.length > 0 ? request.status : listed;
    const statuses = asked.map((status) => enumName(TopicStatusSchema, status));
    const filters = [call.tenant.applicationId, statuses];
    const { rows, total } = await readList<ReadTopic>(database, call, list, page, filters, request.title);
    const whole = await wholeTopics(database, call, rows);
    const answer = create(ListTopicsResponseSchema, {
      data: await topicMessages(peers, call, whole),
      pagination: pagination(page, total),
    });
    // Each topic shows its definitions whole, and each of those all its topics.
    if (whole.some(({ definitions }) => definitions.length > 0)) requirePageFits(ListTopicsResponseSchema, answer);
    return answer;
  };
}
