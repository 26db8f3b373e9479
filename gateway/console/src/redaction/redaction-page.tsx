import { Stack } from "@mantine/core";
import { Detail } from "../ui/detail.tsx";
import { Page } from "../ui/page.tsx";
import { RedactionEditor } from "./redaction-editor.tsx";
import { getIngestSettings } from "./redaction-requests.ts";

export default function RedactionPage() {
  const request = getIngestSettings();
  return (
    <Detail request={request} title="Redaction">
      {(_, loaded) => (
        <Page
          title="Redaction"
          description={
            <Stack gap={0} maw={880}>
              <span>
                Replaces matches in the texts of traces, log records, answers to prompts and recorded results before
                they are stored. Changes take effect within five seconds.
              </span>
              <span>
                Not redacted: ids, field names, models, statuses, times, texts that people write, stored data, and
                values that are split over several steps.
              </span>
            </Stack>
          }
          requests={[request]}
        >
          <RedactionEditor loaded={loaded} />
        </Page>
      )}
    </Detail>
  );
}
