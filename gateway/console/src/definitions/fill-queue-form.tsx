// Puts the traces that say most about a judge into a review queue.

import { NumberInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import { firstQueues, refreshedByReviews } from "../reviews/review-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { queueCalibrationTraces } from "./definition-requests.ts";

const defaultCount = 20;

interface FillQueueFormProps {
  readonly definitionId: string;
  readonly onClose: () => void;
}

export function FillQueueForm({ definitionId, onClose }: FillQueueFormProps) {
  const navigate = useNavigate();
  const queues = useQuery(read(firstQueues)).data?.data ?? [];
  const [queueId, setQueueId] = useState<string | null>(null);
  const [limit, setLimit] = useState<number | string>(defaultCount);
  const { mutate, isPending, error } = useChange(queueCalibrationTraces, {
    refreshes: refreshedByReviews,
    onDone: (_data, sent) => void navigate({ to: "/reviews/$queueId", params: { queueId: sent.queueId } }),
  });
  const issues = issuesByField(error);
  return (
    <FormModal
      title="Have traces judged"
      submitLabel="Put into the queue"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ id: definitionId, queueId: queueId ?? "", limit: Number(limit) })}
      isSaving={isPending}
      error={error}
    >
      <Select
        label="Queue"
        required
        data-autofocus
        placeholder={queues.length === 0 ? "No queue yet: create one under Review queues" : "A topic and who reviews"}
        data={queues.map(({ id, topicTitle, assigneeName }) => ({
          value: id,
          label: `${topicTitle}, ${assigneeName}`,
        }))}
        value={queueId}
        error={issues.queueId}
        onChange={setQueueId}
      />
      <NumberInput label="Traces at most" min={1} max={200} value={limit} error={issues.limit} onChange={setLimit} />
    </FormModal>
  );
}
