import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "../ui/form-error.tsx";

/** One click from an empty application to one with something to look at. */
export function SampleDataButton() {
  const client = useQueryClient();
  const [intent] = useState(() => crypto.randomUUID());
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => (await import("./add-sample-data.ts")).addSampleData(intent),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        Add sample data
      </Button>
      {error !== null && <FormError error={error} />}
    </>
  );
}
