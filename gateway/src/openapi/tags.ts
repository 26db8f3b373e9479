// Tags of the document, one per service, in reading order.

import type { JsonObject } from "@bufbuild/protobuf";
import type { Route } from "../rest/routes.ts";
import { serviceTag } from "./text.ts";

const groups: Readonly<Record<string, readonly string[]>> = {
  Content: ["Topics", "Tasks", "Tags", "Documents", "Facts", "Style guides", "Quickstarts"],
  Evaluation: ["Definitions", "Definition trials", "Evaluation settings", "Model connections", "Calibration"],
  "Tests and traces": [
    "Runs",
    "Tests",
    "Evaluations",
    "Schedules",
    "Traces",
    "Ingest",
    "Ingest settings",
    "OpenTelemetry",
    "Reports",
  ],
  Experiments: ["Experiments", "Experiment variants", "Inference steps"],
  "Document tests": ["Document tests", "Document test triggers"],
  Review: ["Issues", "Human annotations", "Review queues", "Annotations"],
  Events: ["Webhooks", "Deliveries"],
  Administration: [
    "Applications",
    "Members",
    "Invitations",
    "Users",
    "API keys",
    "App config",
    "The audit log",
    "Health",
    "Feedback",
  ],
};
const otherGroup = "More";

/** Returns `tags` and their groups in the reference (`x-tagGroups`). */
export function buildTags(routes: readonly Route[]): JsonObject {
  const tags = new Map(
    [...new Set(routes.map(({ service }) => service))].map(serviceTag).map((tag) => [tag.name, tag]),
  );
  const grouped = Object.entries(groups).map(
    ([name, members]) => [name, members.filter((member) => tags.has(member))] as const,
  );
  const named = new Set(grouped.flatMap(([, members]) => members));
  const all = [...grouped, [otherGroup, [...tags.keys()].filter((tag) => !named.has(tag))] as const];
  return {
    tags: all.flatMap(([, members]) => members.flatMap((member) => ({ ...tags.get(member) }))),
    "x-tagGroups": all.flatMap(([name, members]) => (members.length === 0 ? [] : [{ name, tags: [...members] }])),
  };
}
