import { Button, Popover } from "@mantine/core";
import { Braces } from "lucide-react";
import { CodeBlock } from "../ui/code.tsx";
import type { ReportQuery } from "./query.ts";

/** Shows the query as the API's JSON. The request button shows the curl command. */
export function QueryButton({ query }: { readonly query: ReportQuery }) {
  return (
    <Popover trapFocus returnFocus width="min(480px, calc(100vw - 32px))" position="bottom-end">
      <Popover.Target>
        <Button variant="default" leftSection={<Braces size={14} />}>
          JSON
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Query as JSON">
        <CodeBlock text={JSON.stringify(query, null, 2)} label="query as JSON" />
      </Popover.Dropdown>
    </Popover>
  );
}
