import { useNavigate } from "@tanstack/react-router";
import { useDefinitions } from "../definitions/definition-requests.ts";
import { useNew } from "../edits/use-new.ts";
import { useUsers } from "../settings/user-choices.ts";
import { useTopics } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { Picker } from "../ui/pick/picker.tsx";
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
  const form = useNew({
    newDraft: () => newDraft,
    create: ({ topicId, ...draft }) => createQueue({ topicId: topicId ?? "", ...draft }),
    refreshes: refreshedByReviews,
    onCreated: ({ data }) => void navigate({ to: "/reviews/$queueId", params: { queueId: data.id } }),
  });
  return (
    <FormModal title="New queue" {...form.modal} onClose={onClose}>
      <Picker label="Topic" required data-autofocus source={useTopics} {...form.input("topicId")} />
      <Picker
        label="Reviewer"
        placeholder="You"
        source={useUsers}
        clearable
        clearButtonProps={{ "aria-label": "You" }}
        {...form.input("assigneeId")}
      />
      <Picker
        label="Evaluator"
        source={useDefinitions}
        description="Reviews of a whole answer do not measure a judge"
        placeholder="Whole answer"
        clearable
        clearButtonProps={{ "aria-label": "Whole answer" }}
        {...form.input("definitionId")}
      />
    </FormModal>
  );
}
