// Form that adds traces to a review queue: those whose review is most informative about a judge.

import { NumberInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { readAll } from "../api/query.ts";
import { useNew } from "../edits/use-new.ts";
import { allQueues, refreshedByReviews } from "../reviews/review-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { queueCalibrationTraces } from "./definition-requests.ts";

const defaultCount = 20;

interface FillQueueFormProps {
  readonly definitionId: string;
  readonly onClose: () => void;
}

export function FillQueueForm({ definitionId, onClose }: FillQueueFormProps) {
  const navigate = useNavigate();
  const queues = (useQuery(readAll(allQueues)).data ?? []).filter(
    (queue) => queue.definitionId === null || queue.definitionId === definitionId,
  );
  const form = useNew({
    newDraft: (): { queueId: string | null; limit: number } => ({ queueId: null, limit: defaultCount }),
    create: ({ queueId, limit }) =>
      queueCalibrationTraces({ id: definitionId, queueId: queueId ?? "", limit: Number(limit) }),
    refreshes: refreshedByReviews,
    onCreated: (_, { queueId }) => void navigate({ to: "/reviews/$queueId", params: { queueId: queueId ?? "" } }),
  });
  return (
    <FormModal title="Send traces to review" {...form.modal} submitLabel="Add to the queue" onClose={onClose}>
      <Select
        label="Queue"
        required
        searchable
        data-autofocus
        placeholder={queues.length === 0 ? "No queue yet: create one under Review queues" : "Topic and reviewer"}
        data={queues.map(({ id, topicTitle, assigneeName, criterion }) => ({
          value: id,
          label: [topicTitle, assigneeName, ...(criterion === null ? [] : [criterion.name])].join(", "),
        }))}
        {...form.input("queueId")}
      />
      <NumberInput label="Maximum number of traces" min={1} max={200} {...form.input("limit")} />
    </FormModal>
  );
}
