// Who may sign in, with which role, and who was invited to.

import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UserRoundPlus } from "lucide-react";
import { useState } from "react";
import { Editing } from "../edits/editing.tsx";
import { sessionQuery } from "../session/session.ts";
import { ActionButton } from "../ui/action.tsx";
import { missing } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { Invitations } from "./invitations.tsx";
import { ChangeRole, Invite, RemoveMember } from "./member-forms.tsx";
import { roles } from "./member-roles.ts";
import { getMember, listInvitations, listMembers, type Member } from "./settings-requests.ts";

const route = getRouteApi("/signed-in/settings/members");

type Open = { readonly form: "invite" } | { readonly form: "role" | "remove"; readonly member: Member };

export default function MemberListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery).data;
  const own = session?.data?.member?.id;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const request = listMembers(search);
  const invite = (
    <ActionButton
      operation="POST /v0/invitations"
      leftSection={<UserRoundPlus size={14} />}
      onClick={() => setOpen({ form: "invite" })}
    >
      Invite
    </ActionButton>
  );
  const changes: Column<Member> = {
    id: "changes",
    label: "Changes",
    isFixed: true,
    cell: (member) => (
      <Group gap={4} wrap="nowrap">
        <ActionButton
          operation="PUT /v0/members/{id}"
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={`Change the role of ${member.name}`}
          onClick={() => setOpen({ form: "role", member })}
        >
          Change role
        </ActionButton>
        <ActionButton
          operation="DELETE /v0/members/{id}"
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={`Remove ${member.name}`}
          onClick={() => setOpen({ form: "remove", member })}
        >
          Remove
        </ActionButton>
      </Group>
    ),
  };
  const columns: readonly Column<Member>[] = [
    {
      id: "name",
      label: "Name",
      isFixed: true,
      width: 200,
      cell: ({ id, name }) => (id === own ? `${name} (you)` : name),
    },
    { id: "email", label: "E-mail", width: 220, cell: ({ email }) => email ?? missing },
    { id: "role", label: "Role", cell: ({ role }) => roles[role].label },
    {
      id: "createdAt",
      label: "Since",
      orderBy: "createdAt",
      cell: ({ createdAt }) => <Time value={createdAt} isDate />,
    },
    { id: "userId", label: "User id", isOptional: true, cell: ({ userId }) => <code>{userId}</code> },
    changes,
  ];
  return (
    <Page
      title="Members"
      description="People who sign in here for this application, and what they may do"
      requests={[request, listInvitations()]}
      actions={invite}
    >
      <ListView
        label="Members"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...(change as object) }) })}
        empty={
          <EmptyState title="No members" action={invite}>
            {session?.provider == null
              ? "People sign in with API keys: this installation has no OpenID Connect provider (OIDC_ISSUER)."
              : "Whoever is invited becomes a member by signing in."}
          </EmptyState>
        }
      />
      <Invitations />
      {open?.form === "invite" && <Invite onClose={close} />}
      {open?.form === "role" && (
        <Editing request={getMember(open.member.id)} title={`The role of ${open.member.name}`} onClose={close}>
          {(loaded) => <ChangeRole loaded={loaded} onClose={close} />}
        </Editing>
      )}
      {open?.form === "remove" && <RemoveMember member={open.member} isOwn={open.member.id === own} onClose={close} />}
    </Page>
  );
}
