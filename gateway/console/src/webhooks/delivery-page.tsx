import { Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { pollDelay } from "../runs/poll-delay.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { Attempts } from "./attempts.tsx";
import { outcomeText } from "./delivery-columns.tsx";
import {
  type Delivery,
  type DeliveryAttempt,
  getDelivery,
  refreshedByWebhook,
  resendDelivery,
} from "./webhook-requests.ts";

const route = getRouteApi("/signed-in/deliveries/$deliveryId");
const parent = { to: "/deliveries", label: "Deliveries" } as const;

export default function DeliveryPage() {
  const { deliveryId } = route.useParams();
  return (
    <Detail
      request={getDelivery(deliveryId)}
      title="Delivery"
      parent={parent}
      refreshMs={({ data }) => data.status === "PENDING" && pollDelay(Date.now() - Date.parse(data.createdAt))}
    >
      {({ data, event, attempts }) => <DeliveryDetail delivery={data} event={event} attempts={attempts} />}
    </Detail>
  );
}

interface DeliveryDetailProps {
  readonly delivery: Delivery;
  readonly event: unknown;
  readonly attempts: readonly DeliveryAttempt[];
}

function DeliveryDetail({ delivery, event, attempts }: DeliveryDetailProps) {
  const { id, type, status, kind, testId, nextAttemptAt } = delivery;
  const { mutate, isPending, error } = useChange(resendDelivery, { refreshes: refreshedByWebhook });
  return (
    <Page
      title={type}
      parent={parent}
      mark={<Status value={status} />}
      requests={[getDelivery(id), ...(kind === "EVENT" ? [resendDelivery(id)] : [])]}
      actions={
        kind === "EVENT" && (
          <ActionButton
            operation="POST /v0/webhook/deliveries/{id}/resend"
            leftSection={<RotateCw size={14} />}
            loading={isPending}
            onClick={() => mutate(id)}
          >
            Send again
          </ActionButton>
        )
      }
    >
      <Stack gap="lg">
        {error !== null && (
          <Text size="sm" c="var(--ems-bad)" role="alert">
            {messageOfError(error)}
          </Text>
        )}
        <Facts
          rows={[
            ["Created", <Time key="created" value={delivery.createdAt} />],
            ["Attempts", count(delivery.attemptCount)],
            ["Last answer", outcomeText(delivery.lastStatusCode, delivery.lastOutcome)],
            nextAttemptAt !== null && ["Next attempt", <Time key="next" value={nextAttemptAt} />],
            ["webhook-id", <code key="id">{id}</code>],
            testId !== null && [
              "Test",
              <AnchorLink key="test" to="/tests/$testId" params={{ testId }} inherit>
                Open the test
              </AnchorLink>,
            ],
          ]}
        />
        <Section title="Attempts">
          <Attempts attempts={attempts} />
        </Section>
        <Section title="Body" description="Request body as JSON. The signature covers the bytes that were sent">
          <CodeBlock text={JSON.stringify(event, null, 2)} label="Body" maxHeight={480} />
        </Section>
      </Stack>
    </Page>
  );
}
