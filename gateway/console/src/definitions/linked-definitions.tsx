// Links definitions to a task or topic, with an expected answer, and unlinks them.

import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link as LinkIcon } from "lucide-react";
import { useChange } from "../api/query.ts";
import type { ApiRequest, Schemas } from "../api/request.ts";
import { useNew } from "../edits/use-new.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { MultiPicker } from "../ui/pick/picker.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { linkTasks, linkTopics, unlinkTasks, unlinkTopics, useDefinitions } from "./definition-requests.ts";

type Target = { readonly taskId: string } | { readonly topicId: string };

interface Link {
  readonly evalDefinition: Schemas["EvalDefinition"] | null;
  readonly config: Schemas["LinkConfig"] | null;
}

interface LinkedDefinitionsProps {
  readonly target: Target;
  readonly links: readonly Link[];
}

const refreshes = ["/v0/tasks", "/v0/topics", "/v0/definitions"];

const linkRequest = (target: Target, evalIds: string[], expected: string): ApiRequest => {
  const config = expected === "" ? {} : { config: { expected } };
  if ("taskId" in target) return linkTasks({ taskIds: [target.taskId], evalIds, ...config });
  return linkTopics({ topicIds: [target.topicId], evalIds, ...config });
};

const unlinkRequest = (target: Target, evalIds: string[]): ApiRequest =>
  "taskId" in target
    ? unlinkTasks({ taskIds: [target.taskId], evalIds })
    : unlinkTopics({ topicIds: [target.topicId], evalIds });

const expectedText = (config: Link["config"]) => {
  const expected = config?.expected;
  return typeof expected === "string" ? expected : Array.isArray(expected) ? expected.join(", ") : "";
};

export function LinkedDefinitions({ target, links }: LinkedDefinitionsProps) {
  const [isLinking, link] = useDisclosure();
  const unlinking = useChange((id: string) => unlinkRequest(target, [id]), { refreshes });
  const rows = links.flatMap(({ evalDefinition, config }) =>
    evalDefinition === null ? [] : [{ ...evalDefinition, expected: expectedText(config) }],
  );
  const columns: Column<(typeof rows)[number]>[] = [
    {
      id: "name",
      label: "Name",
      isFixed: true,
      width: 200,
      cell: ({ id, name }) => (
        <AnchorLink to="/definitions/$definitionId" params={{ definitionId: id }} inherit fw={500}>
          {name}
        </AnchorLink>
      ),
    },
    { id: "type", label: "Type", cell: ({ type }) => words(type) },
    { id: "expected", label: "Expected", width: 200, cell: ({ expected }) => expected },
    {
      id: "unlink",
      label: "Action",
      isNumber: true,
      cell: ({ id, name }) => (
        <ActionButton
          operation={["POST /v0/definitions/unlink", "POST /v0/definitions/unlink-topics"]}
          variant="subtle"
          size="compact-xs"
          disabled={unlinking.isPending}
          aria-label={`Unlink ${name}`}
          onClick={() => unlinking.mutate(id)}
        >
          Unlink
        </ActionButton>
      ),
    },
  ];
  return (
    <Section
      title="Linked evaluators"
      description="Plus those inherited from the topic and the application"
      actions={
        <ActionButton
          operation={["POST /v0/definitions/link", "POST /v0/definitions/link-topics"]}
          variant="default"
          leftSection={<LinkIcon size={14} />}
          onClick={link.open}
        >
          Link
        </ActionButton>
      }
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No linked evaluators yet.
        </Text>
      ) : (
        <DataTable label="Linked evaluators" columns={columns} rows={rows} />
      )}
      {isLinking && <LinkForm target={target} linked={rows.map(({ id }) => id)} onClose={link.close} />}
    </Section>
  );
}

interface LinkFormProps {
  readonly target: Target;
  readonly linked: readonly string[];
  readonly onClose: () => void;
}

function LinkForm({ target, linked, onClose }: LinkFormProps) {
  const form = useNew({
    newDraft: (): { ids: string[]; expected: string } => ({ ids: [], expected: "" }),
    create: ({ ids, expected }) => linkRequest(target, ids, expected),
    refreshes,
    onCreated: onClose,
  });
  return (
    <FormModal title="Link evaluators" {...form.modal} submitLabel="Link" onClose={onClose}>
      <MultiPicker
        label="Evaluators"
        data-autofocus
        source={useDefinitions}
        without={linked}
        {...form.input("ids")}
        nothingFoundMessage="No other evaluator"
      />
      <LongTextField
        label="Expected"
        description="Expected answer, for evaluators that compare"
        autosize
        maxRows={8}
        {...form.input("expected")}
      />
    </FormModal>
  );
}
