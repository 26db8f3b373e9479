import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { pollDelay } from "../runs/poll-delay.ts";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { CountsTable } from "./counts-table.tsx";
import { type Erasure, getErasure } from "./erasure-requests.ts";
import classes from "./erasures.module.css";

const route = getRouteApi("/signed-in/settings/erasures/$erasureId");
const parent = { to: "/settings/erasures", label: "Erasures" } as const;

export default function ErasurePage() {
  const { erasureId } = route.useParams();
  return (
    <Detail
      request={getErasure(erasureId)}
      title="Erasure"
      parent={parent}
      refreshMs={({ data }) => data.status === "RUNNING" && pollDelay(Date.now() - Date.parse(data.modifiedAt))}
    >
      {({ data }) => <ErasureDetail erasure={data} />}
    </Detail>
  );
}

function ErasureDetail({ erasure }: { readonly erasure: Erasure }) {
  const { id, status, userHash, erased, createdAt, modifiedAt, completedAt } = erasure;
  const isRunning = status === "RUNNING";
  return (
    <Page title="Erasure" parent={parent} mark={<Status value={status} />} requests={[getErasure(id)]}>
      <Stack gap="lg">
        <Facts
          rows={[
            ["Requested", <Time key="requested" value={createdAt} />],
            isRunning
              ? ["Last progress", <Time key="progress" value={modifiedAt} />]
              : ["Completed", <Time key="completed" value={completedAt} />],
            ["Hash of the user", <code key="hash">{userHash}</code>],
          ]}
        />
        <Section
          title="Erased"
          description={
            isRunning
              ? "Still running. The numbers update automatically"
              : "Erased everywhere. Anonymous scores and totals are kept"
          }
        >
          <div className={classes.form}>
            <CountsTable label={isRunning ? "Erased so far" : "Erased"} counts={erased} />
          </div>
        </Section>
      </Stack>
    </Page>
  );
}
