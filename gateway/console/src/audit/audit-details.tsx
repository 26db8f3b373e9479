// Details of an audit log entry: the changed fields and the request.

import { Stack } from "@mantine/core";
import { ChangesTable } from "../ui/diff/changes-table.tsx";
import { Facts } from "../ui/facts.tsx";
import { localTime, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import type { RowDetails } from "../ui/table/data-table.tsx";
import type { AuditEntry } from "./audit-requests.ts";
import { changesOfEntry, nameOfEntry } from "./entries.ts";

const to = "/settings/audit-log";

function formatEntry(entry: AuditEntry): string {
  return `${entry.action.toLowerCase()} ${words(entry.resource)} ${nameOfEntry(entry) ?? entry.entityId}, ${localTime(entry.createdAt)}`;
}

export const auditDetails: RowDetails<AuditEntry> = {
  getName: formatEntry,
  content: (entry) => {
    const { id, action, operation, entityId, requestId } = entry;
    return (
      <Stack gap="sm">
        <ChangesTable
          label={`Changes: ${formatEntry(entry)}`}
          nameLabel="Field"
          before={action === "CREATED" ? undefined : "Before"}
          after={action === "DELETED" ? undefined : action === "CREATED" ? "Value" : "After"}
          changes={changesOfEntry(entry)}
        />
        <Facts
          rows={[
            ["Operation", operation],
            [
              "Request",
              <AnchorLink key="request" to={to} search={{ requestId }} inherit>
                {requestId}
              </AnchorLink>,
            ],
            [
              "Resource id",
              <AnchorLink key="entity" to={to} search={{ entityId }} inherit>
                {entityId}
              </AnchorLink>,
            ],
            ["Entry", id],
          ]}
        />
      </Stack>
    );
  },
};
