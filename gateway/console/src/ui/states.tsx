// Content of a page that has no data: an error, or an empty state.

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError, isRefused, messageOfError } from "../api/errors.ts";
import type { ApiRequest } from "../api/request.ts";
import { CodeBlock } from "./code.tsx";
import { Copy } from "./copy.tsx";
import { useCurl } from "./request-button.tsx";
import classes from "./states.module.css";

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const issues = error instanceof ApiError ? error.issues : [];
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className={classes.state} role="alert">
      <Title order={2}>{isRefused(error) ? "Access denied" : "Could not load"}</Title>
      <Text size="sm" className={classes.text}>
        {messageOfError(error)}
      </Text>
      {issues.map(({ path, message }) => (
        <Text size="sm" key={`${path}${message}`}>
          {path === undefined ? message : `${typeof path === "string" ? path : path.join(".")}: ${message}`}
        </Text>
      ))}
      {error instanceof ApiError && error.issuesOmitted > 0 && (
        <Text size="sm">{`and at least ${error.issuesOmitted} more`}</Text>
      )}
      {requestId !== undefined && (
        <Group gap={4} justify="center">
          <Text size="xs" c="dimmed">
            Request id <code>{requestId}</code>
          </Text>
          <Copy value={requestId} label="Copy the request id" />
        </Group>
      )}
      {onRetry !== undefined && !isRefused(error) && (
        <Button variant="default" leftSection={<RotateCw size={14} />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  /** Suggestion of what to do next. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** API request that does the same. */
  readonly request?: ApiRequest;
}

export function EmptyState({ title, children, action, request }: EmptyStateProps) {
  const curl = useCurl();
  return (
    <div className={classes.state}>
      <Title order={2}>{title}</Title>
      <Text size="sm" c="dimmed" className={classes.text}>
        {children}
      </Text>
      {action}
      {request !== undefined && (
        <Stack gap={4} className={classes.curl}>
          <Text size="xs" c="dimmed" ta="left">
            Or from a shell:
          </Text>
          <CodeBlock text={curl(request)} label="curl line" />
        </Stack>
      )}
    </div>
  );
}
