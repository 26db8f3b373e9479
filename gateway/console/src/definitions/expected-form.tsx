// What a link of a task expects: a text, or a list of items where the definition compares lists.

import { Skeleton, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import type { Schemas } from "../api/request.ts";
import { getTask } from "../tasks/task-requests.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { ErrorState } from "../ui/states.tsx";
import { TextList } from "../ui/text-list.tsx";
import { type Definition, linkTasks, refreshedByDefinitions } from "./definition-requests.ts";

interface ExpectedFormProps {
  readonly task: { readonly id: string; readonly title: string };
  readonly definition: Definition;
  readonly onClose: () => void;
}

/** Lists of tasks have no settings of links: the task is read. */
export function ExpectedForm(props: ExpectedFormProps) {
  const { data, error, refetch } = useQuery(read(getTask(props.task.id)));
  if (data !== undefined) {
    const link = data.task.evalDefinitions.find(({ evalDefinition }) => evalDefinition?.id === props.definition.id);
    return <LoadedForm {...props} expected={link?.config?.expected} />;
  }
  return (
    <Dialog title="Expected" isOpen onClose={props.onClose}>
      {error === null ? <Skeleton height={120} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Dialog>
  );
}

type Expected = Schemas["LinkConfig"]["expected"];

function LoadedForm({ task, definition, onClose, expected }: ExpectedFormProps & { readonly expected: Expected }) {
  const isList = definition.globalConfig?.type === "list";
  const [texts, setTexts] = useState(() => [expected ?? []].flat().map(String));
  const { mutate, isPending, error } = useChange(linkTasks, { refreshes: refreshedByDefinitions, onDone: onClose });
  const issues = issuesByField(error);
  const issue = issues["config.expected"] ?? issues.config;
  const save = () => {
    const items = texts.filter((text) => text !== "");
    const [first] = items;
    // An empty configuration clears what was expected.
    const config = first === undefined ? {} : { expected: isList ? items : texts.join("\n") };
    mutate({ evalIds: [definition.id], taskIds: [task.id], config });
  };
  return (
    <FormModal title="Expected" isOpen onClose={onClose} onSubmit={save} isSaving={isPending} error={error}>
      <Text size="sm" c="dimmed">
        What {definition.name} expects of answers to {task.title}.
      </Text>
      {isList ? (
        <TextList label="Items" itemLabel="Item" values={texts} error={issue} onChange={setTexts} />
      ) : (
        <Textarea
          label="Expected"
          description="Nothing: what the link of the topic expects, if there is one"
          data-autofocus
          autosize
          minRows={3}
          maxRows={12}
          value={texts.join("\n")}
          error={issue}
          onChange={(event) => setTexts([event.currentTarget.value])}
        />
      )}
    </FormModal>
  );
}
