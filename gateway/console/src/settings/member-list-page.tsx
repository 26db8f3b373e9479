// Page with the members and their roles, and pending invitations.

import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { UserRoundPlus } from "lucide-react";
import { type FunctionComponent, useState } from "react";
import { Editing } from "../edits/editing.tsx";
import { sessionQuery } from "../session/session.ts";
import { ActionButton } from "../ui/action.tsx";
import { missing } from "../ui/format.ts";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { Time } from "../ui/time.tsx";
import { Invitations } from "./invitations.tsx";
import { ChangeRole, Invite, RemoveMember } from "./member-forms.tsx";
import { roles } from "./member-roles.ts";
import { getMember, listInvitations, listMembers, type Member, memberUrl } from "./settings-requests.ts";

const columns: readonly Column<Member>[] = [
  { id: "name", label: "Name", isFixed: true, width: 200, cell: (member) => <Name member={member} /> },
  { id: "email", label: "Email", width: 220, cell: ({ email }) => email ?? missing },
  { id: "role", label: "Role", cell: ({ role }) => roles[role].label },
  { id: "createdAt", label: "Since", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} isDate /> },
  { id: "userId", label: "User id", isOptional: true, cell: ({ userId }) => <code>{userId}</code> },
  { id: "changes", label: "Actions", isFixed: true, cell: (member) => <Changes member={member} /> },
];

const MemberListPage: FunctionComponent = listPage({
  title: "Members",
  description: "People with access to this application",
  url: memberUrl,
  list: listMembers,
  requests: [listInvitations()],
  columns,
  action: {
    operation: "POST /v0/invitations",
    label: "Invite",
    icon: <UserRoundPlus size={14} />,
    Form: Invite,
  },
  empty: { title: "No members", text: <WhoBecomesMember /> },
  children: <Invitations />,
});
export default MemberListPage;

const useOwnId = () => useQuery(sessionQuery).data?.data?.member?.id;

function Name({ member: { id, name } }: { readonly member: Member }) {
  return id === useOwnId() ? `${name} (you)` : name;
}

function WhoBecomesMember() {
  return useQuery(sessionQuery).data?.provider == null
    ? "People sign in with API keys: this installation has no OpenID Connect provider (OIDC_ISSUER)."
    : "Invited people become members when they sign in.";
}

function Changes({ member }: { readonly member: Member }) {
  const own = useOwnId();
  const [open, setOpen] = useState<"role" | "removal">();
  const close = () => setOpen(undefined);
  return (
    <Group gap={4} wrap="nowrap">
      <ActionButton
        operation="PUT /v0/members/{id}"
        variant="subtle"
        color="gray"
        size="compact-sm"
        aria-label={`Change the role of ${member.name}`}
        onClick={() => setOpen("role")}
      >
        Change role
      </ActionButton>
      <ActionButton
        operation="DELETE /v0/members/{id}"
        variant="subtle"
        color="gray"
        size="compact-sm"
        aria-label={`Remove ${member.name}`}
        onClick={() => setOpen("removal")}
      >
        Remove
      </ActionButton>
      {open === "role" && (
        <Editing request={getMember(member.id)} title={`Role of ${member.name}`} onClose={close}>
          {(loaded) => <ChangeRole loaded={loaded} onClose={close} />}
        </Editing>
      )}
      {open === "removal" && <RemoveMember member={member} isOwn={member.id === own} onClose={close} />}
    </Group>
  );
}
