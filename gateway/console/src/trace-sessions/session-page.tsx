import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { EndUser } from "../traces/end-user.tsx";
import { tokensText } from "../traces/tokens-text.ts";
import { traceColumns } from "../traces/trace-columns.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, dollars, duration } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { Pager } from "../ui/table/pager.tsx";
import { Time } from "../ui/time.tsx";
import { getSession, turnsPage } from "./session-requests.ts";

const route = getRouteApi("/signed-in/sessions/$sessionId");
const parent = { to: "/sessions", label: "Sessions" } as const;

export default function SessionPage() {
  const { sessionId } = route.useParams();
  const { skip } = route.useSearch();
  const navigate = route.useNavigate();
  const request = getSession(sessionId, skip);
  return (
    <Detail request={request} title="Session" parent={parent}>
      {({ data, traces, pagination }) => (
        <Page title={data.externalId} parent={parent} requests={[request]}>
          <Stack gap="md">
            <Facts
              rows={[
                ["Turns", count(data.turns)],
                ["Errors", count(data.errors)],
                ["Tokens", tokensText(data.tokens)],
                ["Cost", dollars(data.totalCost)],
                data.unpricedSteps > 0 && ["No price", `${count(data.unpricedSteps)} model calls`],
                ["Duration", duration(data.totalDurationMs)],
                data.evaluations.count > 0 && [
                  "Evaluations",
                  `${count(data.evaluations.count)}: ${count(data.evaluations.passed)} passed, ${count(data.evaluations.failed)} failed`,
                ],
                ["Started", <Time key="started" value={data.startedAt} />],
                ["Last turn", <Time key="last" value={data.lastAt} />],
                ...data.users.map((user) => ["End user", <EndUser key={user} user={user} />] as const),
              ]}
            />
            <DataTable label="Turns" columns={traceColumns} rows={traces} />
            <Pager
              search={{ ...(skip !== undefined && { skip }), limit: turnsPage }}
              total={pagination?.total ?? 0}
              onChange={(change) => void navigate({ search: change.skip === undefined ? {} : { skip: change.skip } })}
            />
          </Stack>
        </Page>
      )}
    </Detail>
  );
}
