// Attempts of a delivery, for the delivery's page and for the details below its row.

import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { Status } from "../ui/badges.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { duration, words } from "../ui/format.ts";
import { ErrorState } from "../ui/states.tsx";
import type { RowDetails } from "../ui/table/data-table.tsx";
import { Time } from "../ui/time.tsx";
import { outcomeText } from "./delivery-columns.tsx";
import { type Delivery, type DeliveryAttempt, getDelivery } from "./webhook-requests.ts";
import classes from "./webhooks.module.css";

export const deliveryDetails: RowDetails<Delivery> = {
  getName: ({ type }) => `the delivery of ${type}`,
  content: ({ id }) => <LoadedAttempts id={id} />,
};

function LoadedAttempts({ id }: Pick<Delivery, "id">) {
  const { data, error, refetch } = useQuery(read(getDelivery(id)));
  if (data !== undefined) return <Attempts attempts={data.attempts} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={48} />;
}

/** Lists attempts, newest first. */
export function Attempts({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None yet.
      </Text>
    );
  }
  return (
    <div>
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </div>
  );
}

function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { number, startedAt, durationMs, outcome, statusCode, responseBody, remoteAddress } = attempt;
  return (
    <article className={classes.attempt} aria-label={`Attempt ${number}`}>
      <div className={classes.attemptHead}>
        <Status value={outcome === "DELIVERED" ? "DELIVERED" : "FAILED"} />
        <Text size="sm" fw={500}>
          Attempt {number}: {outcomeText(statusCode, outcome)}
        </Text>
        <Text size="xs" c="dimmed">
          <Time value={startedAt} />, {duration(durationMs)}
          {remoteAddress !== null && `, ${remoteAddress}`}
        </Text>
      </div>
      {statusCode !== null && outcome !== "DELIVERED" && outcome !== "HTTP_STATUS" && (
        <Text size="xs" c="dimmed">
          {words(outcome)}
        </Text>
      )}
      {responseBody !== null && responseBody !== "" && (
        <CodeBlock text={responseBody} label={`Response of attempt ${number}`} maxHeight={160} />
      )}
    </article>
  );
}
