import { Stack } from "@mantine/core";
import { getIngestSettings } from "../redaction/redaction-requests.ts";
import { Detail } from "../ui/detail.tsx";
import { Page } from "../ui/page.tsx";
import { PathsEditor } from "./paths-editor.tsx";

export default function TracePathsPage() {
  const request = getIngestSettings();
  return (
    <Detail request={request} title="Trace paths">
      {(_, loaded) => (
        <Page
          title="Trace paths"
          description={
            <Stack gap={0} maw={880}>
              <span>
                Where your own spans have the question, the answer, the session and the end user. Known frameworks need
                no paths. Where a path finds nothing, the trace is read as without it.
              </span>
              <span>
                A path names steps (root, step, or a type such as llm), their part (input, output, metadata, params,
                name), and a place in its JSON.
              </span>
            </Stack>
          }
          requests={[request]}
        >
          <PathsEditor loaded={loaded} />
        </Page>
      )}
    </Detail>
  );
}
