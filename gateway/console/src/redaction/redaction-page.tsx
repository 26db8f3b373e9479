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
                What matches is replaced in texts of traces, log records, answers to prompts and recorded results before
                anything of them is stored, five seconds after a change at the latest.
              </span>
              <span>
                Ids, names of fields, models, statuses and times stay as they are, and so do what people write, what is
                stored already, and values that are split over several steps.
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
