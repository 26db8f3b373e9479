import { Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { pollDelay } from "../runs/poll-delay.ts";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, percent, score, words } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Time } from "../ui/time.tsx";
import { type DocumentTest, getDocumentTest, isRunning, labels, readResults } from "./document-test-requests.ts";
import { ResultTables } from "./result-tables.tsx";

const route = getRouteApi("/signed-in/document-tests/$documentTestId");
const parent = { to: "/document-tests", label: "Document tests" } as const;

export default function DocumentTestPage() {
  const { documentTestId } = route.useParams();
  return (
    <Detail
      request={getDocumentTest(documentTestId)}
      title="Document test"
      parent={parent}
      refreshMs={({ data }) => isRunning(data) && pollDelay(Date.now() - Date.parse(data.modifiedAt))}
    >
      {({ data }) => <DocumentTestDetail test={data} />}
    </Detail>
  );
}

function DocumentTestDetail({ test }: { readonly test: DocumentTest }) {
  const { type, status, message, waitingFor, progress, meceMeanOverlap, meceMeanContradictions } = test;
  const results = readResults(test);
  return (
    <Page title={labels[type]} parent={parent} mark={<Status value={status} />} requests={[getDocumentTest(test.id)]}>
      <Stack gap="lg">
        <Facts
          rows={[
            results?.score !== undefined && ["Coverage", percent(results.score)],
            meceMeanOverlap !== null && ["Mean overlap", percent(meceMeanOverlap)],
            meceMeanContradictions !== null && ["Contradictions per pair", score(meceMeanContradictions)],
            progress !== null && ["Questions", `${count(progress.completed)} of ${count(progress.total)}`],
            ...Object.entries(results?.scope ?? {}).map(
              ([what, { tested, total }]) => [`Tested ${what}`, `${count(tested)} of ${count(total)}`] as const,
            ),
            waitingFor !== null && ["Waiting for", words(waitingFor)],
            message !== null && ["Message", message],
            ["Started", <Time key="started" value={test.createdAt} />],
            ["Changed", <Time key="changed" value={test.modifiedAt} />],
          ]}
        />
        {results === null ? (
          <Text size="sm" c="dimmed">
            Results appear when all questions are answered.
          </Text>
        ) : (
          <ResultTables results={results} />
        )}
      </Stack>
    </Page>
  );
}
