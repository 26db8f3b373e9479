import { type Mount, mount } from "@ems/kit/rpc/service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { archiveTopic } from "./archive-topic.ts";
import { createTopic } from "./create-topic.ts";
import { getTopic } from "./get-topic.ts";
import { listTopics } from "./list-topics.ts";
import { updateTopic } from "./update-topic.ts";
import { updateTopics } from "./update-topics.ts";

export const topics = (deps: Deps): Mount =>
  mount(TopicService, {
    createTopic: createTopic(deps),
    listTopics: listTopics(deps),
    getTopic: getTopic(deps),
    updateTopic: updateTopic(deps),
    updateTopics: updateTopics(deps),
    archiveTopic: archiveTopic(deps),
  });
