// Button that shows the page's API requests as curl commands.

import { Button, Popover, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Terminal } from "lucide-react";
import { toCurl } from "../api/curl.ts";
import type { AnyRequest } from "../api/request.ts";
import { sessionQuery } from "../session/session.ts";
import { CodeBlock } from "./code.tsx";

export function useCurl(): (request: AnyRequest) => string {
  const { data } = useQuery(sessionQuery);
  return (request) => toCurl(request, window.location.origin, data?.data?.application.id ?? "");
}

interface RequestButtonProps {
  readonly requests: readonly AnyRequest[];
}

export function RequestButton({ requests }: RequestButtonProps) {
  const curl = useCurl();
  return (
    <Popover trapFocus returnFocus width="min(640px, calc(100vw - 32px))" position="bottom-end">
      <Popover.Target>
        <Button variant="default" leftSection={<Terminal size={14} />}>
          Request
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Requests of this page">
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            This page sends {requests.length === 1 ? "this request" : "these requests"}. Set KEY to an API key.
          </Text>
          {requests.map((request) => {
            const line = curl(request);
            return <CodeBlock key={line} text={line} label="curl line" maxHeight={200} />;
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
