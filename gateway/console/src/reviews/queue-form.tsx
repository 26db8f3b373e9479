import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useDefinitionChoices } from "../definitions/definition-requests.ts";
import { useNew } from "../edits/use-new.ts";
import { useUserChoices } from "../settings/user-choices.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { createQueue, refreshedByReviews } from "./review-requests.ts";

const newDraft: {
  readonly topicId: string | null;
  readonly assigneeId: string | null;
  readonly definitionId: string | null;
} = {
  definitionId: null,
  topicId: null,
  assigneeId: null,
};

export function QueueForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [topics, users, definitions] = [useTopicChoices(), useUserChoices(), useDefinitionChoices()];
  const form = useNew({
    newDraft: () => newDraft,
    create: ({ topicId, ...draft }) => createQueue({ topicId: topicId ?? "", ...draft }),
    refreshes: refreshedByReviews,
    onCreated: ({ data }) => void navigate({ to: "/reviews/$queueId", params: { queueId: data.id } }),
  });
  return (
    <FormModal title="New queue" {...form.modal} onClose={onClose}>
      <Select label="Topic" required searchable data-autofocus data={topics} {...form.input("topicId")} />
      <Select
        label="Reviewer"
        placeholder="You"
        searchable
        clearable
        clearButtonProps={{ "aria-label": "You" }}
        data={users}
        {...form.input("assigneeId")}
      />
      <Select
        label="Evaluator"
        description="Reviews of a whole answer do not measure a judge"
        placeholder="Whole answer"
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Whole answer" }}
        data={definitions}
        {...form.input("definitionId")}
      />
    </FormModal>
  );
}
