// Kinds of resources in the audit log, and the console's page for each.

import type { LinkProps } from "@tanstack/react-router";

type BuildLink = (id: string) => LinkProps;

const topic: BuildLink = (topicId) => ({ to: "/topics/$topicId", params: { topicId } });
const task: BuildLink = (taskId) => ({ to: "/tasks/$taskId", params: { taskId } });
const documentPage: BuildLink = (documentId) => ({ to: "/documents/$documentId", params: { documentId } });
const definition: BuildLink = (definitionId) => ({ to: "/definitions/$definitionId", params: { definitionId } });
const people: BuildLink = () => ({ to: "/settings/people" });
const members: BuildLink = () => ({ to: "/settings/members" });
const facts: BuildLink = () => ({ to: "/facts" });
const settings: BuildLink = () => ({ to: "/settings/evaluation" });

/** Builds the link to a resource's page, by kind. Undefined if an id of that kind has no page. */
const pages: Readonly<Record<string, BuildLink | undefined>> = {
  annotation: undefined,
  "api-key": () => ({ to: "/settings/keys" }),
  application: undefined,
  assignment: undefined,
  contradiction: undefined,
  definition,
  "definition-application": definition,
  "definition-task": definition,
  "definition-topic": definition,
  document: documentPage,
  "document-tag": documentPage,
  "document-version": undefined,
  erasure: (erasureId) => ({ to: "/settings/erasures/$erasureId", params: { erasureId } }),
  "evaluation-settings": settings,
  "execution-setting": settings,
  experiment: (experimentId) => ({ to: "/experiments/$experimentId", params: { experimentId } }),
  "export-settings": () => ({ to: "/settings/exports" }),
  fact: facts,
  "fact-topic": facts,
  "human-annotation": undefined,
  "human-annotation-queue": (queueId) => ({ to: "/reviews/$queueId", params: { queueId } }),
  "human-annotation-queue-item": undefined,
  import: undefined,
  "inference-step": undefined,
  "ingest-settings": () => ({ to: "/settings/redaction" }),
  invitation: members,
  issue: (issueId) => ({ to: "/issues/$issueId", params: { issueId } }),
  member: members,
  "model-connection": (connectionId) => ({ to: "/settings/models/$connectionId", params: { connectionId } }),
  "model-prices": () => ({ to: "/settings/model-prices" }),
  quickstart: (quickstartId) => ({ to: "/quickstarts/$quickstartId", params: { quickstartId } }),
  run: (runId) => ({ to: "/runs/$runId", params: { runId } }),
  schedule: task,
  "style-guide": (styleGuideId) => ({ to: "/style-guides/$styleGuideId", params: { styleGuideId } }),
  tag: undefined,
  task,
  "task-tag": task,
  topic,
  user: people,
  variant: undefined,
  webhook: () => ({ to: "/webhook" }),
};

export const resources = Object.keys(pages);

/** Kinds whose entries have the id of another resource, their owner, which still exists after a deletion. */
// biome-ignore format: several per line
const links = [
  "definition-application", "definition-task", "definition-topic", "document-tag", "fact-topic", "task-tag",
  "schedule", "evaluation-settings", "execution-setting", "export-settings", "ingest-settings",
  "model-prices",
];

interface Entry {
  readonly resource: string;
  readonly entityId: string;
  readonly action: string;
}

/** Returns the link to the changed resource's page; undefined if it has no page or was deleted. */
export function pageOfEntry({ resource, entityId, action }: Entry): LinkProps | undefined {
  const isGone = action === "DELETED" && !links.includes(resource);
  return isGone || !Object.hasOwn(pages, resource) ? undefined : pages[resource]?.(entityId);
}
