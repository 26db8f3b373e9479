import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { refreshedByTasks } from "../tasks/task-requests.ts";
import { useTopics } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { Picker } from "../ui/pick/picker.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { acceptTask, type Issue, refreshedByIssues } from "./issue-requests.ts";

interface AcceptTaskFormProps {
  readonly issue: Loaded<{ readonly data: Issue }>;
  readonly onClose: () => void;
}

const toDraft = ({ title, description, topicId }: Issue) => ({ title, description: description ?? "", topicId });
const field = fieldFor<ReturnType<typeof toDraft>>();

/** Form that activates the task suggested by an issue. */
export function AcceptTaskForm({ issue, onClose }: AcceptTaskFormProps) {
  const navigate = useNavigate();
  const suggested = issue.body.data.topicId;
  const topics = useTopics("", suggested === null ? [] : [suggested]).choices;
  const edit = useEdit({
    loaded: issue,
    toDraft: ({ data }) => toDraft(data),
    fields: [
      field("title", "Title"),
      field("description", "Description"),
      field("topicId", "Topic", chosenFrom(topics)),
    ],
    makeRequest: (draft, { data: { id } }) => acceptTask({ id, ...draft }),
    refreshes: [...refreshedByIssues, ...refreshedByTasks],
    onSaved: ({ task }) => void navigate({ to: "/tasks/$taskId", params: { taskId: task.id } }),
  });
  return (
    <FormModal title="Accept suggested task" {...edit.modal} submitLabel="Accept" onClose={onClose}>
      <TextField label="Title" required data-autofocus {...edit.input("title")} />
      <LongTextField label="Description" required {...edit.input("description")} />
      <Picker
        label="Topic"
        source={useTopics}
        clearable
        clearButtonProps={{ "aria-label": "No topic" }}
        {...edit.input("topicId")}
      />
    </FormModal>
  );
}
