import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Operation } from "../session/permissions.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";

/** Operations that `add-sample-data.ts` calls. */
const sampleOperations: readonly Operation[] = [
  "POST /v0/definitions",
  "POST /v0/definitions/link-application",
  "POST /v0/topics",
  "POST /v0/tasks",
  "POST /v0/tests/results",
  "POST /v0/ingest",
];

/** Button that adds sample data to an empty application. */
export function SampleDataButton() {
  const client = useQueryClient();
  const [intent] = useState(() => crypto.randomUUID());
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => (await import("./add-sample-data.ts")).addSampleData(intent),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <>
      <ActionButton operation={sampleOperations} variant="default" loading={isPending} onClick={() => mutate()}>
        Add sample data
      </ActionButton>
      {error !== null && <FormError error={error} />}
    </>
  );
}
