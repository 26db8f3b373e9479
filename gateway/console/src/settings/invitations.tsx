// Lists pending invitations.

import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read, useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { roles } from "./member-roles.ts";
import { deleteInvitation, listInvitations, refreshedByMembers } from "./settings-requests.ts";

export function Invitations() {
  const { data, error, refetch } = useQuery(read(listInvitations()));
  const deletion = useChange(deleteInvitation, { refreshes: refreshedByMembers });
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Section title="Invitations" description="Pending. Valid for 7 days">
      <FormError error={deletion.error} />
      <Table.ScrollContainer minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Email</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map(({ id, email, role, expiresAt }) => (
              <Table.Tr key={id}>
                <Table.Td>{email}</Table.Td>
                <Table.Td>{roles[role].label}</Table.Td>
                <Table.Td>
                  <Time value={expiresAt} />
                </Table.Td>
                <Table.Td>
                  <ActionButton
                    operation="DELETE /v0/invitations/{id}"
                    variant="subtle"
                    color="gray"
                    size="compact-sm"
                    aria-label={`Revoke invitation of ${email}`}
                    onClick={() => deletion.mutate(id)}
                  >
                    Revoke
                  </ActionButton>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
