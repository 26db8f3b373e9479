// Form for the answer that a task expects for a linked definition: one text, any of several, or a list.

import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { useNew } from "../edits/use-new.ts";
import { getTask } from "../tasks/task-requests.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { ErrorState } from "../ui/states.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { TextList } from "../ui/text-list.tsx";
import { type Definition, linkTasks, refreshedByDefinitions } from "./definition-requests.ts";
import { getExpectedKind, toLinkConfig, toTexts } from "./link-expectation.ts";

interface ExpectedFormProps {
  readonly task: { readonly id: string; readonly title: string };
  readonly definition: Definition;
  readonly onClose: () => void;
}

/** Reads the task first, because lists of tasks omit the settings of their links. */
export function ExpectedForm(props: ExpectedFormProps) {
  const { data, error, refetch } = useQuery(read(getTask(props.task.id)));
  if (data !== undefined) {
    const link = data.task.evalDefinitions.find(({ evalDefinition }) => evalDefinition?.id === props.definition.id);
    return <LoadedForm {...props} texts={toTexts(link?.config?.expected)} />;
  }
  return (
    <Dialog title="Expected" isOpen onClose={props.onClose}>
      {error === null ? <Skeleton height={120} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Dialog>
  );
}

/** Shows an issue with any item at the whole list. */
const names = { config: "texts" };

function LoadedForm({ task, definition, onClose, texts }: ExpectedFormProps & { readonly texts: string[] }) {
  const kind = getExpectedKind(definition);
  const { draft, set, input, modal } = useNew({
    newDraft: () => ({ texts }),
    create: (draft) =>
      linkTasks({ evalIds: [definition.id], taskIds: [task.id], config: toLinkConfig(draft.texts, kind) }),
    refreshes: refreshedByDefinitions,
    onCreated: onClose,
    names,
  });
  return (
    <FormModal title="Expected" {...modal} submitLabel="Save" onClose={onClose}>
      <Text size="sm" c="dimmed">
        Expected answer of {definition.name} for {task.title}.
      </Text>
      {kind === "items" && <TextList label="Items" itemLabel="Item" values={draft.texts} {...input("texts")} />}
      {kind === "any" && (
        <TextList
          label="Expected"
          description="Any of these answers. Leave empty to use the expected answer of the topic's link, if any"
          itemLabel="Expected answer"
          values={draft.texts.length === 0 ? [""] : draft.texts}
          {...input("texts")}
        />
      )}
      {kind === "text" && (
        <LongTextField
          label="Expected"
          description="Leave empty to use the expected answer of the topic's link, if any"
          data-autofocus
          minRows={3}
          maxRows={12}
          {...input("texts")}
          value={draft.texts.join("\n")}
          onChange={(text) => set({ texts: [text] })}
        />
      )}
    </FormModal>
  );
}
