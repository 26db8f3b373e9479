import { Grid3x3 } from "lucide-react";
import type { FunctionComponent } from "react";
import { useTopics } from "../topics/topic-names.ts";
import { ButtonLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import { definitionColumns } from "./definition-columns.tsx";
import { createDefinition, listDefinitions } from "./definition-requests.ts";
import { definitionUrl } from "./definition-search.ts";
import { typeChoices } from "./definition-types.ts";

const scopes = [
  { value: "application", label: "All tasks" },
  { value: "topic", label: "Topics" },
] as const;

const DefinitionListPage: FunctionComponent = listPage({
  title: "Evaluators",
  description: "Rules and judges that evaluate answers",
  url: definitionUrl,
  list: listDefinitions,
  columns: definitionColumns,
  filters: [
    { text: "search", label: "Search names" },
    { some: "type", label: "Type", options: typeChoices },
    { one: "scopeType", label: "Applies to", options: scopes },
    { some: "topicId", label: "Topic", options: useTopics },
  ],
  action: { operation: "POST /v0/definitions", label: "New evaluator", to: "/definitions/new" },
  actions: (newDefinition) => (
    <>
      {newDefinition}
      <ButtonLink to="/definitions/links" variant="default" leftSection={<Grid3x3 size={14} />}>
        Links
      </ButtonLink>
    </>
  ),
  empty: {
    title: "No evaluators yet",
    text: "An evaluator judges answers. Link it to a task, a topic or the application to judge every test there.",
    request: createDefinition({
      type: "CUSTOM",
      name: "Polite",
      globalConfig: { criterion: "The answer is polite and free of jargon." },
    }),
  },
});
export default DefinitionListPage;
