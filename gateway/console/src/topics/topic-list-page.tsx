import type { FunctionComponent } from "react";
import { choices } from "../ui/filters/choice-filter.tsx";
import { listPage } from "../ui/list-page.tsx";
import { TopicBulkBar } from "./topic-bulk-bar.tsx";
import { topicColumns } from "./topic-columns.tsx";
import { TopicForm } from "./topic-form.tsx";
import { createTopic, listTopics } from "./topic-requests.ts";
import { topicStatuses, topicUrl } from "./topic-search.ts";

const TopicListPage: FunctionComponent = listPage({
  title: "Topics",
  description: "Subjects that users ask the application about",
  url: topicUrl,
  list: listTopics,
  columns: topicColumns,
  filters: [
    { text: "title", label: "Search titles" },
    { some: "status", label: "Status", options: choices(topicStatuses) },
    { flag: "isInScope", label: "In scope" },
    { flag: "isTasksVerified", label: "Tasks verified" },
  ],
  action: { operation: "POST /v0/topics", label: "New topic", Form: TopicForm },
  selection: { getName: ({ id }) => `topic ${id}`, Bar: TopicBulkBar },
  empty: {
    title: "No topics yet",
    text: "A topic is a subject that users ask the application about. Its tasks are the requests used in tests.",
    request: createTopic({ title: "Opening an account" }),
  },
});
export default TopicListPage;
